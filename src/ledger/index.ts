/** The door of the ledger room: an append-only, hash-chained, signed history of one vehicle. */
export { GENESIS_HASH } from './record.js';
export { Keyring } from './keyring.js';
export { keyIdOf, verifySigned } from './keys.js';
export { createKey, openLedger, type LedgerFold, type LedgerOptions } from './open.js';
export type { FoldState, Ledger } from './ledger.js';
export { verifyLedger, type LedgerReview, type LedgerSummary } from './verify.js';
