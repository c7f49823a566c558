/**
 * A ledger on other file operations: only tests import this file, to make disks fail.
 * Never: imported by src.
 */
export { realFiles, type AppendFile, type FilePort } from './files.js';
export { createKey, openLedgerOn, type LedgerMachine } from './open.js';
export { encodeRecord } from './record.js';
export { SEGMENT_BYTES } from './committer.js';
export { SNAPSHOT_EVERY } from './snapshot.js';
export { walk } from './walk.js';
