/**
 * Finding a fault in machines: a probe is attached and zeroed, numbered readings are taken, and a
 * hypothesis is filed on the number of the first. A probe that is torn off in a reading stays
 * displaced until it is attached anew, and left so, it is not as it should be.
 */
import {
  begin,
  count,
  nextSerial,
  outsideView,
  tell,
  replaceable,
  undoable,
  type Domain,
} from './types.js';

const READINGS = ['current', 'vibration', 'heat', 'noise', 'torque'] as const;
/** Of the displaced probe, in units of the reading. */
const DISPLACED = 3;

export const diagnosis: Domain = {
  name: 'diagnosis',
  component: 'exam',
  stages: [undoable('attach'), ...READINGS.map(undoable), undoable('detach')],
  consumer: { component: 'hypothesis', after: 'current', stage: replaceable('file') },
  entities: ['motor-1', 'motor-2', 'motor-3', 'motor-4', 'bus', 'gimbal', 'winch'],
  act(world, own, { name, entity, instance }) {
    if (name === 'attach') {
      begin(own);
      own['zeroed'] = true;
    } else if (name === 'file') {
      tell(world, 'hypothesis', instance.replace('hypothesis', 'exam'), 'number');
    } else if (name === 'detach') own['detached'] = true;
    else {
      if (name === 'current') own['number'] = nextSerial(world);
      own[name] = entity.length * 10 + READINGS.findIndex((r) => r === name) + count(own, 'off');
    }
  },
  breakOff(own) {
    own['off'] = count(own, 'off') + DISPLACED;
  },
  view: (world) => ({
    exams: Object.fromEntries(
      Object.entries(world.own).map(([key, { number: _, ...readings }]) => [key, readings]),
    ),
    hypotheses: outsideView(world, 'number'),
  }),
};
