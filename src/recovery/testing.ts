/**
 * A tracker with named conditions removed: only tests import this file, to show which invalid
 * progression each condition stops. Never: imported by src.
 */
import type { ConditionName } from './conditions.js';
import { TaskTracker, type TrackerOptions } from './tracker.js';

export const createTaskTrackerWithout = (
  options: TrackerOptions,
  removed: readonly ConditionName[],
): TaskTracker => new TaskTracker(options, new Set(removed));
