/**
 * Logging. Enters: messages. Leaves: JSON lines on stderr. Never: secrets, or anything on stdout,
 * which belongs to the command.
 */
import { pino, type Logger } from 'pino';

export type { Logger };

/** Synchronous on purpose: the last line before an exit is the one that matters. */
export const createLogger = (
  name: string,
  level = process.env['HALO_LOG_LEVEL'] ?? 'warn',
): Logger => pino({ name, level }, pino.destination({ dest: 2, sync: true }));
