import { expect, test } from 'vitest';
import { BrokenInvariant } from '../../src/platform/assert.js';
import { BoundedQueue } from '../../src/platform/bounded-queue.js';

function drain<T>(queue: BoundedQueue<T>): T[] {
  const out: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) out.push(item);
  return out;
}

test('items come out in the order in which they went in, also around the end of the ring', () => {
  const queue = new BoundedQueue<number>(3);
  for (const item of [1, 2, 3]) queue.offer(item);
  expect(queue.shift()).toBe(1);
  queue.offer(4);
  expect(queue.peek()).toBe(2);
  expect(drain(queue)).toEqual([2, 3, 4]);
  expect(queue.lost).toBe(0);
});

test('a full queue turns an offered item away and says so', () => {
  const queue = new BoundedQueue<number>(2);
  expect([queue.offer(1), queue.offer(2), queue.offer(3)]).toEqual([true, true, false]);
  expect(queue.lost).toBe(1);
  expect(drain(queue)).toEqual([1, 2]);
});

test('a forced item pushes the oldest out and the loss is counted', () => {
  const queue = new BoundedQueue<number>(2);
  for (const item of [1, 2, 3, 4, 5]) queue.force(item);
  expect([queue.size, queue.lost]).toEqual([2, 3]);
  expect(drain(queue)).toEqual([4, 5]);
});

test('an empty queue gives nothing, and a queue without room cannot be made', () => {
  expect(new BoundedQueue<number>(1).shift()).toBeUndefined();
  expect(new BoundedQueue<number>(1).peek()).toBeUndefined();
  expect(() => new BoundedQueue<number>(0)).toThrow(BrokenInvariant);
  expect(() => new BoundedQueue<number>(1.5)).toThrow(BrokenInvariant);
});
