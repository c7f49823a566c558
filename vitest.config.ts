import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // A real ROS 2 graph or a flight takes seconds of wall time; nothing here may take minutes.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Two cores: one file flies, the other computes. More only makes every clock late.
    maxWorkers: 2,
  },
});
