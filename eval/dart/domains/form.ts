/**
 * Booking rooms in a form: a slot is held under a number, an invitation carries that number, and
 * then the rest is typed. Typing into a field that is not empty goes on where it stands.
 */
import {
  begin,
  nextSerial,
  outsideView,
  tell,
  replaceable,
  text,
  undoable,
  type Domain,
} from './types.js';

const TYPED: Readonly<Record<string, string>> = {
  day: 'tuesday',
  slot: '10:30',
  name: 'Ada Lovelace',
  contact: 'ada@site.example',
  note: 'bring the drawings',
};

export const form: Domain = {
  name: 'scheduling form',
  component: 'form',
  stages: [
    undoable('open'),
    undoable('day'),
    undoable('slot'),
    replaceable('hold'),
    undoable('name'),
    undoable('contact'),
    undoable('note'),
    replaceable('confirm'),
  ],
  consumer: { component: 'invite', after: 'hold', stage: replaceable('invite') },
  entities: ['hangar', 'tower', 'office', 'roof', 'cellar', 'yard'],
  act(world, own, { name, instance }) {
    if (name === 'open') begin(own);
    else if (name === 'hold') own['hold'] = nextSerial(world);
    else if (name === 'confirm') own['confirmed'] = true;
    else if (name === 'invite')
      tell(world, 'invitation', instance.replace('invite', 'form'), 'hold');
    else own[name] = text(own, name) + (TYPED[name] ?? '');
  },
  breakOff(own, { name }) {
    own[name] = text(own, name) + (TYPED[name] ?? '?').slice(0, 3);
  },
  view: (world) => ({
    forms: Object.fromEntries(
      Object.entries(world.own).map(([key, { hold, ...fields }]) => [
        key,
        { ...fields, held: hold !== undefined },
      ]),
    ),
    invitations: outsideView(world, 'hold'),
  }),
};
