/**
 * Whether this node is alone with its name: two of one name would both answer each request.
 * Enters: the graph. Leaves: the error when it is not. Never: two that both stay: of an old and a
 * new one the new one goes, and of two that start at once whoever sees the other, be it both.
 */
import { fail, ok, type HaloError, type Result } from '../contract/index.js';
import { haloError, pause } from '../platform/index.js';
import type { RosNode } from './rcl-port.js';

/** On an idle machine the others are in the graph after 0.1 s; what comes later is seen later. */
const DISCOVERY_MS = 500;

/** On a machine with ten times the load that it can bear, discovery took 3 s. */
const YOUNG_MS = 10_000;

/** A newcomer that refuses its own start is gone after two looks, a second apart. */
const LOOKS_MAX = 2;

export class NameWatch {
  readonly #node: RosNode;
  #old = false;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(node: RosNode) {
    this.#node = node;
  }

  /** Before anything is served. HALO-806: another node has the name. */
  async settle(): Promise<Result<void>> {
    this.#timer = setTimeout(() => {
      this.#old = true;
    }, YOUNG_MS);
    await pause(DISCOVERY_MS);
    const taken = this.taken();
    return taken === undefined ? ok(undefined) : fail(taken);
  }

  /** As the graph shows it at this moment. */
  taken(): HaloError | undefined {
    return this.#node.namesakes() > 0 ? taken(this.#node.fullName) : undefined;
  }

  /** To be called once a second. HALO-806 when this node is the one that has to go. */
  look(): HaloError | undefined {
    const found = this.taken();
    this.#looks = found === undefined ? 0 : this.#looks + 1;
    return this.#old ? undefined : found;
  }

  /** An old one stays for what it has begun, and takes nothing new while the other one stays. */
  get trouble(): HaloError | undefined {
    return this.#looks > LOOKS_MAX ? taken(this.#node.fullName) : undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

const taken = (name: string): HaloError =>
  haloError('HALO-806', `Another node in this ROS domain is called ${name}.`);
