/**
 * A flight as a pilot wants to read it: one line a change, one status line every few seconds.
 * Enters: event lines. Leaves: text. Never: a colour where nobody looks (no terminal).
 */
import { styleText } from 'node:util';
import type { EngineEvent } from '../../contract/index.js';
import type { Line } from './child.js';
import type { StateLine } from './log.js';
import type { Summary } from './summary.js';

type Style = Parameters<typeof styleText>[0];

/** A status line as often as a pilot glances at one. */
const STATUS_EVERY_S = 2;

export class Printer {
  readonly #print: (text: string) => void;
  readonly #elapsedS: () => number;
  readonly #colours: boolean;
  #lastStatusS = -Infinity;
  #lastStatus = '';

  constructor(print: (text: string) => void, elapsedS: () => number, colours: boolean) {
    this.#print = print;
    this.#elapsedS = elapsedS;
    this.#colours = colours;
  }

  say(text: string, style?: Style): void {
    const at = `${this.#elapsedS().toFixed(1).padStart(5)}s  `;
    const whole = style !== undefined && this.#colours ? styleText(style, text) : text;
    this.#print(at + whole);
  }

  line(line: Line): void {
    if (line.type === 'state') return this.#status((line as unknown as { state: StateLine }).state);
    this.#event(line as unknown as EngineEvent); // The bridge prints its events as they are.
  }

  #event(event: EngineEvent): void {
    switch (event.type) {
      case 'verdict': {
        const { outcome, generation, components, findings } = event.verdict;
        const kept = components.filter((c) => c.admitted).length;
        this.say(
          `verdict     ${outcome}: ${kept} of ${components.length} kept, generation ${generation}`,
          'bold',
        );
        for (const f of findings)
          this.say(`            ${f.code} ${f.message} → ${f.remedy}`, 'red');
        return;
      }
      case 'progress': {
        const { id, state, reason, detail, evidenceAgeMs } = event.progress;
        const age = evidenceAgeMs < 0 ? '' : `  (evidence ${evidenceAgeMs} ms)`;
        const why = state === 'active' || state === 'delivered' ? detail || reason : reason;
        this.say(`${id.padEnd(12)} ${state.padEnd(11)} ${why}${age}`, STYLES[state]);
        return;
      }
      case 'obligation': {
        const { id, state, componentId, scope } = event.obligation;
        const within = scope.componentIds.join(', ');
        this.say(`obligation  ${id} ${state}: ${componentId}; in scope: ${within}`, 'yellow');
        return;
      }
      case 'epoch':
        return this.say(`epoch       ${event.moved.join(', ')}: ${event.reason}`, 'yellow');
      case 'guardian':
        return this.say(`guardian    ${event.action}: ${event.reason}`, 'magenta');
      case 'receipt-refused':
        return this.say(`receipt     refused: ${event.error.code} ${event.error.message}`, 'red');
      case 'receipt':
        if (event.obligationId === undefined) return;
        return this.say(
          `obligation  ${event.obligationId} satisfied by ${event.receipt.id}`,
          'green',
        );
      case 'notice':
        return this.say(event.message, event.level === 'info' ? 'dim' : 'red');
      default:
        return;
    }
  }

  #status({ phase, vehicle: v, dispatch }: StateLine): void {
    const lease = dispatch.leases[0];
    const held =
      lease === undefined ? 'no lease' : `lease ${lease.componentId} ${lease.framesDrawn}f`;
    const where = v.positionEnuM.map((x) => known(x)?.toFixed(1) ?? '?').join(' ');
    const charge = known(v.batteryFraction);
    const battery = charge === undefined ? '?' : Math.round(charge * 100);
    const link = v.connected ? `link ${v.linkLossPercent.toFixed(1)} % lost` : 'no link';
    const text =
      `${v.armed ? 'ARMED' : 'disarmed'} ${v.mode || '-'} ${v.landed || '-'} [${where}] m ENU  ` +
      `bat ${battery} %  ${link}  ${held}  ${phase}`;
    const due = this.#elapsedS() - this.#lastStatusS >= STATUS_EVERY_S;
    if (!due || text === this.#lastStatus) return;
    this.#lastStatusS = this.#elapsedS();
    this.#lastStatus = text;
    this.say(text, 'dim');
  }

  summary(s: Summary): void {
    const good = s.outcome === 'completed' && s.ledgerVerified;
    const { satisfied, open, unknown, missed } = s.obligations;
    this.#print('');
    this.say(
      `${s.outcome.toUpperCase()} in ${s.wallSeconds} s`,
      good ? ['bold', 'green'] : ['bold', 'yellow'],
    );
    const late = missed === 0 ? '' : `, ${missed} missed`;
    this.say(`obligations  ${satisfied} satisfied, ${open} open, ${unknown} unknown${late}`);
    for (const [name, ids] of [
      ['continued   ', s.continued],
      ['by evidence ', s.reusedByEvidence],
      ['flown anew  ', s.flownAnew],
    ] as const) {
      if (ids !== undefined) this.say(`${name} ${ids.length === 0 ? 'nothing' : ids.join(', ')}`);
    }
    if (s.residual.length > 0) this.say(`residual     ${s.residual.join(', ')}`);
    this.say(`components   ${s.components.admitted} kept, ${s.components.withheld} withheld`);
    for (const o of s.localizedObligations)
      this.say(`denial       ${o.id} ${o.state}: ${o.reason}`);
    for (const refusal of s.refusals) this.say(`refused      ${refusal}`, 'red');
    this.say(`frames       ${s.framesDispatched} dispatched, each once`);
    this.say(`receipts     ${s.receipts}, in ${s.generations} generation(s) of authority`);
    this.say(
      `ledger       ${s.ledgerVerified ? 'verified' : 'NOT VERIFIED'}: ${s.ledger}`,
      s.ledgerVerified ? 'green' : 'red',
    );
  }
}

const STYLES: Readonly<Partial<Record<string, Style>>> = {
  active: 'cyan',
  done: 'green',
  delivered: 'green',
  withheld: 'yellow',
  interrupted: 'red',
  unknown: 'red',
};

/** What is not known is NaN, which JSON writes as null. */
const known = (value: number | null): number | undefined =>
  value !== null && Number.isFinite(value) ? value : undefined;
