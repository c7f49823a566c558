/** The door of the platform room: the only code that touches clock, chance, disk and console. */
export * from './assert.js';
export * from './bounded-queue.js';
export * from './clock.js';
export * from './deadline.js';
export * from './digest.js';
export * from './finding.js';
export * from './halo-error.js';
export * from './package-root.js';
export * from './random.js';
export * from './yaml.js';
