/** The door of the ledger room: an append-only, hash-chained, signed history of one vehicle. */
export { GENESIS_HASH } from './record.js';
export { keyIdOf, verifyReceipt } from './keys.js';
export { openLedger, type LedgerOptions } from './open.js';
export type { Ledger } from './ledger.js';
export { verifyLedger, type LedgerSummary } from './verify.js';
