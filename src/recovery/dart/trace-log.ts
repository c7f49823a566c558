/**
 * A trace while it grows. Enters: what happened, in order. Leaves: the trace.
 * Never: a judgement, or a position that goes back. Plain data inside, bounded by what was begun.
 */
import { assert } from '../../platform/index.js';
import type { LogState } from './fold-state.js';
import type {
  Checkpoint,
  CheckpointKind,
  Consumption,
  EffectClass,
  Instance,
  InstanceName,
  InstanceState,
  Place,
  Step,
  StepState,
  Trace,
} from './types.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface MutableInstance extends Omit<Mutable<Instance>, 'steps' | 'checkpoints'> {
  readonly steps: Mutable<Step>[];
  readonly checkpoints: Checkpoint[];
}

export interface StepPlan {
  readonly id: string;
  readonly effect: EffectClass;
}

export class TraceLog {
  readonly #instances: MutableInstance[] = [];
  readonly #owners = new Map<string, MutableInstance>();
  readonly #occurrences = new Map<string, number>();
  readonly #consumptions: Consumption[] = [];
  #frame = 1;

  /** Live: it grows with the log. */
  get trace(): Trace {
    return { instances: this.#instances, consumptions: this.#consumptions, frame: this.#frame };
  }

  ownerOf(step: string): Instance | undefined {
    return this.#owners.get(step);
  }

  /** Opens the next occurrence of this component on this entity. */
  enter(name: Omit<InstanceName, 'occurrence'>, steps: readonly StepPlan[]): Instance {
    const key = keyOf(name.component, name.entity);
    const occurrence = (this.#occurrences.get(key) ?? 0) + 1;
    const instance: MutableInstance = {
      id: `i-${this.#instances.length + 1}`,
      component: name.component,
      entity: name.entity,
      occurrence,
      state: 'entered',
      steps: steps.map(({ id, effect }) => ({ id, effect, state: 'waiting' })),
      checkpoints: [],
    };
    this.#keep(instance);
    return instance;
  }

  exported(): LogState {
    const { instances, consumptions, frame } = this.trace;
    return structuredClone({ instances, consumptions, frame }) as LogState;
  }

  static restored({ instances, consumptions, frame }: LogState): TraceLog {
    const log = new TraceLog();
    for (const instance of instances) log.#keep(structuredClone(instance));
    log.#consumptions.push(...consumptions);
    log.#frame = frame;
    return log;
  }

  #keep(instance: MutableInstance): void {
    const { component, entity, occurrence } = instance;
    this.#occurrences.set(keyOf(component, entity), occurrence);
    this.#instances.push(instance);
    for (const { id } of instance.steps) this.#owners.set(id, instance);
  }

  /** `uses`: steps on whose outcome it begins; those that the log does not know are left out. */
  begin(id: string, uses: readonly string[], at: number): void {
    const step = this.#step(id);
    if (step.begunAt !== undefined) return;
    step.begunAt = at;
    for (const producer of uses) {
      if (this.#owners.has(producer)) this.#consumptions.push({ consumer: id, producer, at });
    }
    this.#move(step, 'under-way');
  }

  end(id: string, state: Exclude<StepState, 'waiting' | 'under-way'>, at: number): void {
    const step = this.#step(id);
    step.endedAt = at;
    this.#move(step, state);
  }

  mark(id: string, kind: CheckpointKind, at: number, place?: Place | null): void {
    const owner = this.#owners.get(id);
    assert(owner !== undefined, 'a checkpoint is of an instance that was entered');
    const where = place === undefined ? {} : { place };
    owner.checkpoints.push({ kind, at, frame: this.#frame, ...where });
  }

  /** Places from before now name other spots. */
  moveFrame(): void {
    this.#frame += 1;
  }

  #step(id: string): Mutable<Step> {
    const step = this.#owners.get(id)?.steps.find((s) => s.id === id);
    assert(step !== undefined, 'a step is of an instance that was entered');
    return step;
  }

  #move(step: Mutable<Step>, state: StepState): void {
    step.state = state;
    const owner = this.#owners.get(step.id);
    if (owner !== undefined) owner.state = stateOf(owner.steps);
  }
}

/** No component has a line feed in its name. */
const keyOf = (component: string, entity: string): string => `${component}\n${entity}`;

function stateOf(steps: readonly Step[]): InstanceState {
  const some = (...states: readonly StepState[]): boolean =>
    steps.some(({ state }) => states.includes(state));
  if (some('failed', 'unknown')) return 'failed';
  if (some('under-way')) return 'active';
  if (!some('waiting')) return 'exited';
  return some('committed') ? 'committed' : 'entered';
}
