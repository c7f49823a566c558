/**
 * Handing parcels over: a scan gives a number, an invoice carries it, the parcel is handed over
 * for good, then a photo. A line that was let out in vain hangs lower the next time.
 */
import {
  begin,
  count,
  final,
  nextSerial,
  outsideView,
  tell,
  replaceable,
  undoable,
  type Domain,
} from './types.js';

const LINE_M = 4;

export const parcel: Domain = {
  name: 'parcel delivery',
  component: 'stop',
  stages: [
    undoable('drive'),
    replaceable('scan'),
    undoable('lower'),
    final('hand-over'),
    replaceable('photo'),
    undoable('raise'),
  ],
  consumer: { component: 'invoice', after: 'scan', stage: replaceable('bill') },
  entities: ['elm-1', 'elm-7', 'oak-2', 'oak-9', 'ash-3', 'fir-4'],
  act(world, own, { name, entity, instance }) {
    if (name === 'drive') begin(own);
    else if (name === 'scan') own['scan'] = nextSerial(world);
    else if (name === 'lower') own['lineM'] = count(own, 'lineM') + LINE_M;
    else if (name === 'raise') own['lineM'] = count(own, 'lineM') - LINE_M;
    else if (name === 'photo') own['photos'] = count(own, 'photos') + 1;
    else if (name === 'hand-over') {
      world.irreversible[entity] = (world.irreversible[entity] ?? 0) + 1;
    } else tell(world, 'invoice', instance.replace('invoice', 'stop'), 'scan');
  },
  breakOff(own) {
    own['lineM'] = count(own, 'lineM') + 1;
  },
  view: (world) => ({
    stops: Object.fromEntries(
      Object.entries(world.own).map(([key, { scan, ...rest }]) => [
        key,
        { ...rest, scanned: scan !== undefined },
      ]),
    ),
    handedOver: world.irreversible,
    invoices: outsideView(world, 'scan'),
  }),
};
