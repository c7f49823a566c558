/**
 * The decision with named conditions removed: only tests and the evaluation import this file, to
 * show which unsafe rollback each condition stops. Never: imported by src.
 */
export { decideWithout } from './decide.js';
