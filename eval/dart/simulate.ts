/**
 * One case in a simulated domain: up to the failure, over the recovery that was decided, to the
 * end of the plan. Enters: a case, what is hidden from the decision, a strategy. Leaves: how the
 * world stands in the end. Never: a look of the decision at what is hidden.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  decide,
  TraceLog,
  type Checkpoint,
  type Decision,
  type Failure,
  type Strategy,
} from '../../src/recovery/dart/index.js';
import { freshWorld, type Act, type Domain, type Own, type World } from './domains/types.js';

/** What has happened in truth, and no trace shows. */
export interface Hidden {
  /** Instance in which the break left something behind. */
  readonly dirty?: string | undefined;
  /** Steps whose outcome is bad though they were committed. */
  readonly bad?: readonly string[];
  /** The step of unknown outcome did happen. */
  readonly happened?: boolean;
}

export interface Case {
  readonly id: string;
  readonly domain: Domain;
  readonly kind: string;
  /** A committed consumer has used what came of the failed instance. */
  readonly sensitive: boolean;
  readonly plan: readonly Act[];
  /** The step that fails; without `breaks` an alarm comes before it instead. */
  readonly failAt: number;
  readonly breaks: 'failed' | 'unknown' | undefined;
  /** Begun before, and still under way at the failure. */
  readonly underWay?: string | undefined;
  readonly failure: Failure;
  /** Instances in which the fault may lie. */
  readonly suspects: readonly string[];
  readonly hidden: Hidden;
  /** Every truth that looks the same from outside, this one among them. */
  readonly worlds: readonly Hidden[];
}

export interface Outcome {
  readonly correct: boolean;
  readonly reexecuted: number;
}

export type Decider = (log: TraceLog, failure: Failure) => Decision;

export const byStrategy =
  (strategy: Strategy): Decider =>
  ({ trace }, failure) =>
    decide(trace, failure, strategy);

export class Simulation {
  readonly log = new TraceLog();
  world = freshWorld();
  readonly #case: Case;
  readonly #hidden: Hidden;
  readonly #acts: ReadonlyMap<string, Act>;
  readonly #saved = new Map<string, Own>();
  readonly #begun = new Set<string>();
  readonly #standing = new Set<string>();
  #bad: readonly string[];
  #at = 0;
  #again = 0;

  constructor(of: Case, hidden = of.hidden) {
    this.#case = of;
    this.#hidden = hidden;
    this.#bad = hidden.bad ?? [];
    this.#acts = new Map(of.plan.map((act) => [act.id, act]));
    for (const act of of.plan.slice(0, of.failAt)) this.#step(act);
    this.#fail();
    this.#bad = [];
  }

  /** The instance of a plan in the trace; entered by now. */
  instanceOf(key: string) {
    const first = this.#case.plan.find(({ instance }) => instance === key);
    return first && this.log.ownerOf(first.id);
  }

  recover(decision: Decision): Outcome {
    switch (decision.kind) {
      case 'retry':
        for (const id of decision.reexecute) this.#again += this.#act(id);
        break;
      case 'rollback':
        this.#restore(decision.instance?.id ?? '', decision.checkpoint);
        for (const id of decision.reexecute) this.#again += this.#act(id);
        break;
      case 'whole-task':
        this.#fromScratch(decision.reexecute);
        break;
      case 'residual':
        for (const id of decision.unresolved) this.#look(id);
    }
    return this.finish();
  }

  wholeTask(): Outcome {
    this.#fromScratch([...this.#begun]);
    return this.finish();
  }

  rollback(key: string, checkpoint: Checkpoint): Outcome {
    const instance = this.instanceOf(key);
    this.#restore(instance?.id ?? '', checkpoint);
    const { steps = [] } = instance ?? {};
    for (const { id, begunAt = -1, endedAt = Infinity } of steps) {
      if (begunAt > checkpoint.at || (begunAt >= 0 && endedAt > checkpoint.at)) this.#act(id);
    }
    return this.finish();
  }

  /** What is left of the plan, then the comparison with a run in which nothing failed. */
  finish(): Outcome {
    for (const { id } of this.#case.plan) {
      if (!this.#standing.has(id)) this.#again += this.#act(id);
    }
    const { domain } = this.#case;
    const correct = isDeepStrictEqual(domain.view(this.world), domain.view(truthOf(this.#case)));
    return { correct, reexecuted: this.#again };
  }

  #step(act: Act): void {
    const { plan, underWay } = this.#case;
    if (this.log.ownerOf(act.id) === undefined) {
      const steps = plan.filter(({ instance }) => instance === act.instance);
      this.log.enter({ component: act.component, entity: act.entity }, steps);
      this.#mark(act, 'entry');
    }
    this.#begin(act);
    this.#act(act.id);
    if (act.id === underWay) return;
    this.log.end(act.id, 'committed', (this.#at += 1));
    this.#mark(act, 'commit');
  }

  #fail(): void {
    const { plan, failAt, breaks, domain } = this.#case;
    const act = plan[failAt];
    if (act === undefined || breaks === undefined) return;
    if (this.log.ownerOf(act.id) === undefined) {
      const steps = plan.filter(({ instance }) => instance === act.instance);
      this.log.enter({ component: act.component, entity: act.entity }, steps);
      this.#mark(act, 'entry');
    }
    this.#begin(act);
    this.#begun.add(act.id);
    if (this.#hidden.happened === true) domain.act(this.world, this.#own(act), act);
    this.log.end(act.id, breaks, (this.#at += 1));
    const dirty = this.#hidden.dirty;
    if (dirty !== undefined) domain.breakOff((this.world.own[dirty] ??= {}), act);
  }

  #begin(act: Act): void {
    this.log.begin(act.id, act.uses, (this.#at += 1));
  }

  /** Returns 1 when it had been begun before. */
  #act(id: string): number {
    const act = this.#acts.get(id);
    if (act === undefined) throw new Error(`the plan has no ${id}`);
    const own = this.#own(act);
    const flaw = `bad ${act.name}`;
    delete own[flaw];
    this.#case.domain.act(this.world, own, act);
    if (this.#bad.includes(id)) own[flaw] = true;
    this.#standing.add(id);
    const again = this.#begun.has(id) ? 1 : 0;
    this.#begun.add(id);
    return again;
  }

  #own({ instance }: Act): Own {
    return (this.world.own[instance] ??= {});
  }

  #mark(act: Act, kind: 'entry' | 'commit'): void {
    this.#at += 1;
    this.log.mark(act.id, kind, this.#at);
    this.#saved.set(this.#key(this.log.ownerOf(act.id)?.id ?? '', this.#at), {
      ...this.#own(act),
    });
  }

  #key(instance: string, at: number): string {
    return `${instance}@${at}`;
  }

  /** Only what is the instance's own comes back. */
  #restore(instance: string, { at }: Checkpoint): void {
    const saved = this.#saved.get(this.#key(instance, at));
    const key = this.#case.plan.find((a) => this.log.ownerOf(a.id)?.id === instance)?.instance;
    if (saved === undefined || key === undefined) throw new Error(`nothing saved at ${at}`);
    this.world.own[key] = { ...saved };
  }

  /** What was given outside is withdrawn; what is irreversible stays. */
  #fromScratch(ids: readonly string[]): void {
    const { irreversible, serial } = this.world;
    this.world = { ...freshWorld(), irreversible, serial };
    this.#standing.clear();
    for (const id of ids) this.#again += this.#act(id);
  }

  #look(id: string): void {
    if (this.#hidden.happened === true) this.#standing.add(id);
    else this.#again += this.#act(id);
  }
}

/** From scratch, nothing fails. */
function truthOf({ plan, domain }: Case): World {
  const world = freshWorld();
  for (const act of plan) domain.act(world, (world.own[act.instance] ??= {}), act);
  return world;
}
