/**
 * A serial line to one vehicle. Enters: bytes of one frame, in the turn in which they must leave.
 * Leaves: chunks. Never: a frame that waits in this process for a later turn, a line shared with
 * another program, or attempts without an end.
 */
import { writeSync } from 'node:fs';
import type { SerialPort } from 'serialport';
import { fail, ok, type HaloError, type Result } from '../contract/index.js';
import type { SerialOptions } from './connection-url.js';
import { linkError, refused } from './errors.js';
import { Reconnect } from './reconnect.js';
import {
  type Endpoint,
  type Receiver,
  type Sent,
  type Transport,
  type TransportStats,
} from './transport.js';

interface Line {
  readonly port: SerialPort;
  /** Written directly: the package's own write leaves in a later turn, and waits when it must. */
  readonly fd: number;
}

export class SerialTransport implements Transport {
  readonly peer: Endpoint;
  readonly #options: SerialOptions;
  readonly #reconnect: Reconnect;
  #line: Line | undefined;
  #receiver: Receiver = () => undefined;
  #open = true;
  #connections = 0;
  #sent = 0;
  #sendErrors = 0;
  #trouble: HaloError | undefined;

  /** For {@link openSerial}. */
  constructor(options: SerialOptions) {
    this.#options = options;
    this.peer = { host: options.path, port: 0 };
    this.#reconnect = new Reconnect(async () => {
      const line = await openLine(options);
      if (!line.ok) return line;
      this.take(line.value);
      return ok(undefined);
    });
  }

  get connections(): number {
    return this.#connections;
  }

  get stats(): TransportStats {
    return { sent: this.#sent, sendErrors: this.#sendErrors, trouble: this.#trouble };
  }

  onBytes(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  /** A line has one other end. */
  adoptPeer(): void {
    // Nothing to adopt.
  }

  take(line: Line): void {
    if (!this.#open) {
      line.port.close();
      return;
    }
    this.#line = line;
    this.#connections += 1;
    this.#trouble = undefined;
    line.port.on('data', (bytes: Uint8Array) => {
      this.#receiver(bytes, this.peer);
    });
    line.port.on('error', (error) => {
      this.#trouble = linkError('HALO-513', `${this.#options.path}: ${error.message}`);
    });
    line.port.on('close', () => {
      this.#lost();
    });
  }

  send(bytes: Uint8Array): Sent {
    if (!this.#open) return refused('HALO-507', 'The link is closed.');
    const line = this.#line;
    if (line === undefined) return refused('HALO-513', `${this.#options.path} is not open.`);
    let written = 0;
    let why = '';
    try {
      written = writeSync(line.fd, bytes);
    } catch (error) {
      why = error instanceof Error ? `: ${error.message}` : '';
    }
    if (written === bytes.length) {
      this.#sent += 1;
      this.#trouble = undefined;
      return { ok: true };
    }
    // The rest is not sent after it: a frame that has been cut is dropped by the other end.
    this.#sendErrors += 1;
    const text = `The line took ${written} of ${bytes.length} bytes${why}`;
    this.#trouble = linkError('HALO-507', text);
    return refused('HALO-507', text);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#reconnect.stop();
    const port = this.#line?.port;
    this.#line = undefined;
    if (port?.isOpen === true) await new Promise<void>((done) => port.close(() => done()));
  }

  #lost(): void {
    this.#line = undefined;
    if (!this.#open) return;
    this.#trouble = linkError('HALO-513', `${this.#options.path} has gone away.`);
    this.#reconnect.start((trouble) => {
      this.#trouble = trouble;
    });
  }
}

/** What the system says, by its own words: the package keeps no code beside them. */
function openTrouble(path: string, message: string): HaloError {
  if (/cannot lock|busy|temporarily unavailable/i.test(message)) {
    return linkError('HALO-501', `${path} is used by another program.`);
  }
  if (/no such file/i.test(message)) {
    return linkError('HALO-513', `${path} does not exist.`, 'Check the path and the cable.');
  }
  if (/permission denied/i.test(message)) {
    const remedy = 'Add the user to the group that owns the device (often dialout); log in anew.';
    return linkError('HALO-513', `${path} may not be opened by this user.`, remedy);
  }
  return linkError('HALO-513', `${path} cannot be opened as a serial line: ${message}`);
}

async function openLine({ path, baud }: SerialOptions): Promise<Result<Line>> {
  // Loaded here alone: where its native part is missing, all other links still work.
  const loaded = await import('serialport').catch((error: unknown) => String(error));
  if (typeof loaded === 'string') {
    const remedy = 'Run npm install again, or use another kind of link.';
    return fail(linkError('HALO-513', `Serial lines do not work here: ${loaded}`, remedy));
  }
  const port = new loaded.SerialPort({ path, baudRate: baud, autoOpen: false });
  const trouble = await new Promise<Error | null>((done) => port.open(done));
  if (trouble !== null) return fail(openTrouble(path, trouble.message));
  const { port: binding } = port;
  if (binding !== undefined && 'fd' in binding && typeof binding.fd === 'number') {
    return ok({ port, fd: binding.fd });
  }
  port.close();
  return fail(linkError('HALO-513', 'Serial lines are for Linux and macOS.'));
}

/**
 * Opens the line for this program alone: HALO-513 not there, no rights, no serial line; HALO-501
 * in use. A line that goes away is opened anew, for two minutes; each time is a new life.
 */
export async function openSerial(options: SerialOptions): Promise<Result<SerialTransport>> {
  const line = await openLine(options);
  if (!line.ok) return line;
  const transport = new SerialTransport(options);
  transport.take(line.value);
  return ok(transport);
}
