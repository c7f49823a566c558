import { expect, it } from 'vitest';
import { conflictOf } from '../../src/ros/topic-health.js';

const publisher = (node: string) => ({ node, type: 'std_msgs/msg/Bool', reliable: true });

it('a conflict names the nodes that publish, once the graph knows them', () => {
  const topic = (...nodes: string[]) => ({
    name: '/clear',
    expected: 1,
    publishers: nodes.map(publisher),
  });
  const unknown = '_NODE_NAMESPACE_UNKNOWN_/_NODE_NAME_UNKNOWN_';
  const sentence = '2 publishers on /clear where 1 is expected';
  expect(conflictOf(topic('/b', '/a'), 2)).toBe(`${sentence}: /a, /b`);
  expect(conflictOf(topic('/a', unknown), 2)).toBe(`${sentence}: /a`);
  expect(conflictOf(topic(unknown), 2)).toBe(sentence);
});
