/**
 * Loading tables: a transaction stages a snapshot under a number, a dashboard is built on that
 * number, then rows and index follow. Rows that are written twice are there twice.
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

const ROWS = 500;

export const pipeline: Domain = {
  name: 'data pipeline',
  component: 'load',
  stages: [
    undoable('begin'),
    undoable('stage'),
    undoable('validate'),
    undoable('rows-a'),
    undoable('rows-b'),
    undoable('index'),
    replaceable('publish'),
  ],
  consumer: { component: 'dashboard', after: 'stage', stage: replaceable('build') },
  entities: ['orders', 'parts', 'flights', 'crews', 'sites', 'logs'],
  act(world, own, { name, instance }) {
    if (name === 'begin') begin(own);
    else if (name === 'stage') own['snapshot'] = nextSerial(world);
    else if (name === 'build')
      tell(world, 'dashboard', instance.replace('dashboard', 'load'), 'snapshot');
    else if (name.startsWith('rows')) own['rows'] = count(own, 'rows') + ROWS;
    else own[name] = count(own, 'rows');
  },
  breakOff(own) {
    own['rows'] = count(own, 'rows') + ROWS / 2;
  },
  view: (world) => ({
    tables: Object.fromEntries(
      Object.entries(world.own).map(([key, { snapshot, ...rest }]) => [
        key,
        { ...rest, staged: snapshot !== undefined },
      ]),
    ),
    dashboards: outsideView(world, 'snapshot'),
  }),
};
