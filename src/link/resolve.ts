/**
 * Names of hosts to addresses, at start-up. Enters: a name that an operator wrote. Leaves: an IPv4
 * address. Never: an answer that takes longer than start-up may, or a look-up while flying.
 */
import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { fail, ok, type Result } from '../contract/index.js';
import { within } from '../platform/index.js';
import { linkError } from './errors.js';

/** A resolver that is slower than this is as good as none: start-up answers within a second. */
const RESOLVE_DEADLINE_MS = 800;

/** Errors: HALO-503. */
export async function resolveHost(host: string): Promise<Result<string>> {
  if (isIPv4(host)) return ok(host);
  if (host === 'localhost') return ok('127.0.0.1');
  const found = lookup(host, 4).then(
    (answer) => answer.address,
    () => undefined,
  );
  const address = await within(found, RESOLVE_DEADLINE_MS);
  if (address === undefined) {
    return fail(linkError('HALO-503', `Host "${host}" has no IPv4 address that can be found.`));
  }
  return ok(address);
}
