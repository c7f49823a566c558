/** The door of the evidence room: values, epochs and snapshots. */
export { EpochTracker, LINK_LOST_US, type EpochMove, type ModeChange } from './epochs.js';
export { BASIS_LIFE_US, EvidenceStore, type Basis, type StoreCounters } from './store.js';
export {
  extract,
  loadTopicMap,
  parseTopicMap,
  type Extracted,
  type TopicEntry,
  type TopicMap,
} from './topic-map.js';
