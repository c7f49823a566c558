/**
 * Flies a stored mission, or a part of it, and ends it in hold.
 *
 *   verifying ──► setting ──► entering ──► flying ──► stopping ──► done
 *    what is stored  item seen  mode seen   last item    hold seen, and still
 *
 * PX4's own command to start a mission arms as well, so it is never sent: the item is set by a
 * message of its own, and the mode is commanded, which leaves a disarmed vehicle on the ground.
 * Enters: the stored list, mission progress, position, mode. Leaves: reading, one item to begin
 * at, two mode commands. Never: a mission that is not the one uploaded, or one that flies on.
 */
import {
  fail,
  missionLegs,
  ok,
  type Envelope,
  type HaloError,
  type Mission,
  type MissionItem,
  type ParamsOf,
  type Result,
  type WireMessage,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { horizontalM, verticalM, type Vec3 } from '../frames.js';
import { allowMode, AUTOPILOT, toAutopilot } from '../messages.js';
import { beginSeq, missionDigest, placeOf, placeSeq } from '../mission-items.js';
import { readHomePair, readNumber, readVector } from '../reading.js';
import { MissionReading } from './mission-reading.js';
import {
  deadlineUs,
  done,
  ended,
  ModeCommand,
  readArmed,
  readLanded,
  readMode,
  refused,
  running,
  show,
  unknown,
} from './steps.js';
import { Stopping, type Stopped } from './stopping.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

const HORIZONTAL_M = 1;
/** PX4 takes an item as reached within 0.8 m of its height (NAV_MC_ALT_RAD). */
const VERTICAL_M = 1;
const DWELL_S = 0.5;
/** Reading, setting, entering, and coming to a stop. */
const OVERHEAD_S = 15;
/** PX4 gathers speed and brakes at each item, and comes in slowly at the last metre. */
const ITEM_S = 4;
/** Home is told again within the noise of the estimate; beyond this the local frame has moved. */
const PLACE_WITHIN_M = 1;
/** PX4 tells the item in force once a second: three may be lost. */
const SET_AGAIN_US = 3_500_000;
const SETS_MAX = 3;
/** The vehicle passes an item at speed; that it was reached may be told this much later. */
const TOLD_WITHIN_US = 3_500_000;

type Phase = 'verifying' | 'setting' | 'entering' | 'flying' | 'stopping';

export class MissionStart implements EffectMachine {
  readonly envelope: Envelope;
  readonly #options: EffectOptions;
  readonly #mission: Mission;
  readonly #from: number;
  readonly #until: number;
  readonly #targetM: Vec3;
  readonly #hash: string;
  readonly #reading: MissionReading;
  readonly #mode: ModeCommand;
  readonly #stopping: Stopping;
  readonly #deadlineUs: number;
  #phase: Phase = 'verifying';
  #sets = 0;
  #sentUs = 0;
  #beganUs = 0;
  /** When the vehicle was last seen at the item that it ends with. */
  #thereUs = -Infinity;
  #toldUs: number | undefined;

  private constructor(
    { fromItem = 0, untilItem }: ParamsOf<'mission_start'>,
    stored: { readonly mission: Mission; readonly hash: string },
    options: EffectOptions,
  ) {
    const { targetSystem, nowUs, entry } = options;
    const { mission, hash } = stored;
    const count = 2 * mission.items.length;
    this.#options = options;
    this.#mission = mission;
    this.#from = fromItem;
    this.#until = untilItem ?? mission.items.length - 1;
    this.#targetM = mission.items[this.#until]?.positionM ?? [NaN, NaN, NaN];
    this.#hash = hash;
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [
        { type: 'mission-reading', count },
        { type: 'mission-item', seq: beginSeq(fromItem) },
        allowMode('AUTO.MISSION'),
        allowMode('AUTO.LOITER'),
      ],
    };
    this.#reading = new MissionReading(targetSystem, count);
    this.#mode = new ModeCommand(targetSystem, 'AUTO.MISSION');
    this.#stopping = new Stopping(targetSystem, entry.completion.dwellS ?? DWELL_S);
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  /** HALO-208, 211 unless it flies and holds; HALO-404 when its lease ends before the mission. */
  static create(params: ParamsOf<'mission_start'>, options: EffectOptions): Result<MissionStart> {
    const { mission, missionHash: hash, snapshot, nowUs } = options;
    if (mission === undefined || hash === undefined) {
      return fail(haloError('HALO-208', `${params.of} has stored no mission.`));
    }
    const [landed, mode] = [readLanded(options)?.value, readMode(options)?.value];
    if (landed !== 'in_air' || readArmed(options)?.value !== true) {
      const message = `A mission needs an armed vehicle in_air; it is ${landed ?? 'not known'}.`;
      return fail(haloError('HALO-211', message));
    }
    if (mode === undefined || mode === 'AUTO.MISSION') {
      const message = `A mission begins in another mode; it is ${mode ?? 'not known'}.`;
      return fail(haloError('HALO-211', message));
    }
    const from = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    if (from === undefined || readHomePair(snapshot, nowUs) === undefined) {
      return fail(haloError('HALO-208', 'Home or position is not known.'));
    }
    const late = tooLong(params, mission, from, options.entry.deadlineS);
    return late ? fail(late) : ok(new MissionStart(params, { mission, hash }, options));
  }

  get expects(): Expects {
    if (this.#phase === 'entering') return { modes: this.#mode.expects };
    return { modes: this.#phase === 'stopping' ? this.#stopping.expects : [] };
  }

  step(context: EffectContext): EffectStep {
    if (context.nowUs > this.#deadlineUs) return unknown(this.#phase, 'not at its end in time');
    if (readArmed(context)?.value === false) return unknown(this.#phase, 'disarmed on the way');
    switch (this.#phase) {
      case 'verifying':
        return this.#verify(context);
      case 'setting':
        return this.#set(context);
      case 'entering':
        return this.#enter(context);
      case 'flying':
        return this.#fly(context);
      case 'stopping':
        return this.#stop(context);
    }
  }

  #verify(context: EffectContext): EffectStep {
    const { state, frames, items } = this.#reading.step(context);
    if (state === 'reading') return running('verifying', this.#reading.progress, frames);
    if (state === 'silent') return refused('verifying', 'the vehicle does not tell its mission');
    const trouble =
      items === undefined || missionDigest(items) !== this.#hash
        ? 'what is stored is not what was uploaded'
        : this.#misplaced(items, context);
    if (trouble !== undefined) {
      return { ...ended('refused', 'verifying', 'HALO-512', trouble), frames };
    }
    this.#phase = 'setting';
    return running('setting', 'the stored mission is the one uploaded', frames);
  }

  /** In degrees they stay where they are: a local frame that has moved since has left them. */
  #misplaced(items: readonly MissionItem[], { snapshot, nowUs }: EffectContext) {
    const home = readHomePair(snapshot, nowUs);
    if (home === undefined) return 'home is not known';
    const offM = this.#mission.items.map(({ positionM }, i) => {
      const place = placeOf(items[placeSeq(i)], home) ?? [NaN, NaN, NaN];
      return Math.max(horizontalM(place, positionM), verticalM(place, positionM));
    });
    const worst = Math.max(...offM);
    // Written so that a place that is none refuses.
    return worst <= PLACE_WITHIN_M ? undefined : `stored items lie ${show(worst)} m away`;
  }

  /** MISSION_SET_CURRENT has no acknowledgement: MISSION_CURRENT shows it. */
  #set({ snapshot, nowUs }: EffectContext): EffectStep {
    const seq = beginSeq(this.#from);
    const now = readNumber(snapshot, 'vehicle.mission_current', nowUs);
    if (this.#sets > 0 && now?.value === seq && now.receivedUs > this.#sentUs) {
      this.#phase = 'entering';
      return running('entering', `item ${this.#from} is in force`);
    }
    if (this.#sets > 0 && nowUs - this.#sentUs < SET_AGAIN_US) {
      return running('setting', `waiting for item ${this.#from}`);
    }
    if (this.#sets >= SETS_MAX) {
      return refused('setting', `item ${this.#from} was set three times; it is not in force`);
    }
    this.#sets += 1;
    this.#sentUs = nowUs;
    const to = toAutopilot(this.#options.targetSystem);
    const frame: WireMessage = { name: 'MISSION_SET_CURRENT', fields: { ...to, seq } };
    return running('setting', `item ${this.#from}`, [frame]);
  }

  #enter(context: EffectContext): EffectStep {
    if (!this.#mode.sent) this.#beganUs = context.nowUs;
    const step = this.#mode.step(context);
    if (step !== undefined) return step;
    this.#phase = 'flying';
    return this.#fly(context);
  }

  #fly(context: EffectContext): EffectStep {
    const { nowUs, snapshot } = context;
    const mode = readMode(context)?.value;
    if (mode !== undefined && mode !== 'AUTO.MISSION') {
      return unknown('flying', `the mission was left for ${mode}`);
    }
    if (readLanded(context)?.value === 'on_ground') return unknown('flying', 'it has come down');
    const current = this.#since(context, 'vehicle.mission_current');
    const total = this.#since(context, 'vehicle.mission_total');
    const other = total !== undefined && total !== 2 * this.#mission.items.length;
    if (other || (current !== undefined && current < beginSeq(this.#from))) {
      return ended(
        'unknown',
        'flying',
        'HALO-512',
        'somebody else has set another mission or item',
      );
    }
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    if (position !== undefined && this.#there(position)) this.#thereUs = nowUs;
    const last = placeSeq(this.#until);
    const reached = this.#since(context, 'vehicle.mission_reached') ?? -1;
    if (reached >= last || (current ?? -1) > last) this.#toldUs ??= nowUs;
    if (this.#toldUs === undefined) return running('flying', this.#progress(current, position));
    if (nowUs - this.#thereUs <= TOLD_WITHIN_US) {
      this.#phase = 'stopping';
      return this.#stop(context);
    }
    if (nowUs - this.#toldUs <= TOLD_WITHIN_US) return running('flying', 'not seen there yet');
    return unknown('flying', `item ${this.#until} is told to be reached and was not seen there`);
  }

  #stop(context: EffectContext): EffectStep {
    const step = this.#stopping.step(context);
    return 'status' in step ? step : this.#done(step);
  }

  #done({ position, dwellS }: Stopped): EffectStep {
    const flown = this.#until - this.#from + 1;
    return done(`${flown} items flown`, {
      completed: true,
      airborne: true,
      position,
      target: this.#targetM,
      dwellS,
      missionHash: this.#hash,
      itemsFlown: flown,
      mode: 'AUTO.LOITER',
    });
  }

  /** What was told since the mode was commanded: before that it is of another flight. */
  #since(
    { snapshot, nowUs }: EffectContext,
    field: 'vehicle.mission_current' | 'vehicle.mission_reached' | 'vehicle.mission_total',
  ): number | undefined {
    const found = readNumber(snapshot, field, nowUs);
    return found !== undefined && found.receivedUs > this.#beganUs ? found.value : undefined;
  }

  #there(position: Vec3): boolean {
    const { horizontalM: within = HORIZONTAL_M, verticalM: height = VERTICAL_M } =
      this.#options.entry.completion;
    return (
      horizontalM(position, this.#targetM) <= within && verticalM(position, this.#targetM) <= height
    );
  }

  #progress(current: number | undefined, position: Vec3 | undefined): string {
    const item = current === undefined ? '' : `item ${Math.floor(current / 2)}, `;
    if (position === undefined) return `${item}position not known`;
    return `${item}${show(horizontalM(position, this.#targetM))} m from its end`;
  }
}

function tooLong(
  params: ParamsOf<'mission_start'>,
  mission: Mission,
  from: Vec3,
  deadlineS: number,
): HaloError | undefined {
  let at = from;
  let needsS = OVERHEAD_S;
  for (const { positionM, speedMS, holdS = 0 } of missionLegs(params, mission)) {
    const lengthM = Math.hypot(...positionM.map((m, i) => m - (at[i] ?? m)));
    needsS += lengthM / (speedMS ?? mission.speedMS) + holdS + ITEM_S;
    at = positionM;
  }
  if (needsS <= deadlineS) return undefined;
  const message = `The mission takes ${show(needsS)} s; the lease ends at ${deadlineS} s.`;
  return haloError('HALO-404', message);
}
