// Enters: nothing. Leaves: where set-up keeps its things, and the one error type it reports with.
// Never: touches the disk.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export const HALO = path.join(ROOT, '.halo');
export const WHEELS_PREFIX = path.join(HALO, 'ros');
export const PEERS_PREFIX = path.join(HALO, 'peers');
export const WS_INSTALL = path.join(HALO, 'ws', 'install');
export const RCLNODEJS = path.join(ROOT, 'node_modules', 'rclnodejs');

/** Exit codes of set-up; the same numbers as the command line's own. */
export const EXIT = { failed: 1, environment: 3 };

/** A trouble that the user can cure: what happened, and the command or action that cures it. */
export class SetupError extends Error {
  /**
   * @param {string} message one sentence
   * @param {string} remedy what to do about it
   * @param {number} exitCode
   */
  constructor(message, remedy, exitCode = EXIT.environment) {
    super(message);
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}
