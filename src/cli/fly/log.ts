/**
 * What happened in a flight, from the bridge's own events. Enters: event lines. Leaves: counts and
 * the last state. Never: a number that the bridge did not say.
 */
import type {
  ComponentProgress,
  EngineEvent,
  EngineState,
  Finding,
  LocalizedObligation,
} from '../../contract/index.js';
import type { Line } from './child.js';

export type StateLine = Pick<
  EngineState,
  'phase' | 'snapshotId' | 'vehicle' | 'task' | 'obligations' | 'dispatch' | 'guidance'
>;

interface Refused {
  readonly findings: readonly Pick<Finding, 'code' | 'message' | 'path' | 'remedy'>[];
}

export class FlightLog {
  state: StateLine | undefined;
  receipts = 0;
  #cut = false;
  #closed = false;
  /** Frames of lives that are over, as far as the bridge told of them. */
  #framesBefore = 0;
  generations = 0;
  aborted = false;
  readonly obligations = new Map<string, LocalizedObligation>();
  readonly components = new Map<string, ComponentProgress>();
  readonly refusals: string[] = [];

  get framesDispatched(): number {
    return this.#framesBefore + (this.state?.dispatch.framesDispatched ?? 0);
  }

  /** A life of the bridge ended without its last word: the ledger knows more than was told. */
  get cut(): boolean {
    return this.#cut || !this.#closed;
  }

  /** A life of the bridge was ended; what the next one says is its own. */
  lifeEnded(): void {
    this.#framesBefore = this.framesDispatched;
    this.#cut = true;
    this.state = undefined;
  }

  take(line: Line): void {
    if (line.type === 'state' || line.type === 'closed') {
      this.state = (line as unknown as { state: StateLine }).state; // Written by bridge-command.
      this.#closed = line.type === 'closed';
      return;
    }
    this.#event(line as unknown as EngineEvent); // The bridge prints its events as they are.
  }

  #event(event: EngineEvent): void {
    switch (event.type) {
      case 'verdict':
        this.generations = Math.max(this.generations, event.verdict.generation);
        this.#refused(event.verdict.findings);
        return;
      case 'obligation':
        this.obligations.set(event.obligation.id, event.obligation);
        return;
      case 'progress':
        this.components.set(`${event.progress.responseId}/${event.progress.id}`, event.progress);
        return;
      case 'receipt':
        this.receipts += 1;
        return;
      case 'response-ended':
        this.aborted ||= event.report.outcome === 'aborted';
        return;
      default:
        return;
    }
  }

  /** What the host was told: a text that is refused unread has no verdict event of the bridge. */
  answered(line: Line): void {
    // Written by host-command: the result of the action as it came.
    const { outcome, verdict } = line as unknown as { outcome: string; verdict: Refused };
    if (outcome === 'refused') this.#refused(verdict.findings);
  }

  #refused(findings: Refused['findings']): void {
    for (const { code, message, path, remedy } of findings) {
      const place = path === undefined || path === '' ? '' : ` [${path}]`;
      const text = `${code} ${message}${place} → ${remedy}`;
      if (!this.refusals.includes(text)) this.refusals.push(text);
    }
  }

  /** Components by whether they were kept to the end. */
  get kept(): readonly ComponentProgress[] {
    return [...this.components.values()].filter((c) => c.state !== 'withheld');
  }

  get withheld(): readonly ComponentProgress[] {
    return [...this.components.values()].filter((c) => c.state === 'withheld');
  }
}
