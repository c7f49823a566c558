/**
 * Arming, modes and failsafes: who flies, and by what rule.
 * In: requests and the conditions of the step. Out: armed, navigation state, events.
 * Never moves the vehicle and never answers a command: commands.ts does.
 */
import type { EventArgument, EventName } from '../events.js';
import { allModes, customMode, modeFacts, type NavState } from '../modes.js';
import type { Outbox } from '../outbox.js';
import type { ParameterStore } from '../parameters.js';
import { canRun, failingChecks, type Conditions } from './checks.js';
import { Failsafe, navStateOf } from './failsafe.js';

/** PX4's numbers and words for why the armed state changed. */
export const REASONS = {
  external: { bytes: 1, value: 4, text: 'external command' },
  landing: { bytes: 1, value: 6, text: 'landing' },
  inaction: { bytes: 1, value: 7, text: 'preflight inaction' },
  failsafe: { bytes: 1, value: 10, text: 'failsafe' },
} as const satisfies Record<string, EventArgument>;

export type Reason = keyof typeof REASONS;

export class Commander {
  armed = false;
  navState: NavState = 'AUTO.LOITER';
  private userMode: NavState = 'AUTO.LOITER';
  private afterDisarm: NavState = 'AUTO.LOITER';
  private userModeChanged = false;
  private terminated = false;
  private checks: readonly EventName[] = [];
  private checksReported = false;
  private readonly failsafe: Failsafe;

  constructor(
    private readonly parameters: ParameterStore,
    private readonly outbox: Outbox,
    private readonly timeMs: () => number,
  ) {
    this.failsafe = new Failsafe(parameters);
  }

  get intendedMode(): NavState {
    return this.userMode;
  }

  get inFailsafe(): boolean {
    return this.failsafe.active;
  }

  get inTermination(): boolean {
    return this.terminated;
  }

  /** True when arming would be accepted in the current mode. */
  get ready(): boolean {
    return this.checks.length === 0;
  }

  /** Disarmed, every known mode is taken; in the air only one that can run now. */
  requestMode(mode: NavState, now: Conditions): boolean {
    if (this.terminated) return false;
    if (this.armed && !canRun(mode, now)) {
      const text = mode.toLowerCase();
      const args: EventArgument[] = [{ bytes: 4, value: customMode(mode), text }];
      this.outbox.event(this.timeMs(), 'commander_modeswitch_not_avail', args);
      return false;
    }
    this.userMode = mode;
    this.userModeChanged = true;
    if (!modeFacts(mode).preventsArming) this.afterDisarm = mode;
    return true;
  }

  arm(now: Conditions): boolean {
    if (this.armed) return true;
    this.refreshChecks(now);
    if (this.terminated || this.checks.length > 0) {
      this.outbox.event(this.timeMs(), 'commander_arm_denied_resolve_failures');
      return false;
    }
    this.armed = true;
    this.outbox.event(this.timeMs(), 'commander_armed_by', [REASONS.external]);
    return true;
  }

  disarm(reason: Reason, force: boolean, landed: boolean): boolean {
    if (!this.armed) return true;
    if (!landed && !force) {
      this.outbox.event(this.timeMs(), 'commander_disarm_denied_not_landed');
      return false;
    }
    this.armed = false;
    this.userMode = this.afterDisarm;
    this.outbox.event(this.timeMs(), 'commander_disarmed_by', [REASONS[reason]]);
    return true;
  }

  terminate(): void {
    this.terminated = true;
    this.failsafe.terminate();
  }

  update(dtS: number, now: Conditions): void {
    const news = this.failsafe.update(dtS, {
      armed: this.armed,
      userMode: this.userMode,
      userModeChanged: this.userModeChanged,
      conditions: now,
    });
    this.userModeChanged = false;
    for (const { name, args } of news) this.outbox.event(this.timeMs(), name, args);
    if (this.failsafe.action === 'terminate') this.terminated = true;
    if (this.failsafe.action === 'disarm' && this.armed) this.disarm('failsafe', true, now.landed);
    this.navState = this.terminated
      ? 'TERMINATION'
      : navStateOf(this.failsafe.action, this.userMode);
    this.refreshChecks(now);
  }

  private refreshChecks(now: Conditions): void {
    const required = this.parameters.get('NAV_DLL_ACT') > 0;
    const failing = failingChecks(this.userMode, now, required);
    const same =
      failing.length === this.checks.length &&
      failing.every((name, index) => name === this.checks[index]);
    this.checks = failing;
    if (!same || !this.checksReported) this.reportChecks(now);
  }

  /** The group of events that tells why arming would be refused, as after RUN_PREARM_CHECKS. */
  reportChecks(now: Conditions): void {
    this.checksReported = true;
    const armable = allModes().filter((mode) => failingChecks(mode, now, false).length === 0);
    const runnable = allModes().filter((mode) => canRun(mode, now));
    const summary: EventArgument[] = [
      { bytes: 1, value: 0 },
      { bytes: 4, value: this.checks.length > 0 ? 1 : 0 },
      { bytes: 4, value: 0 },
      { bytes: 4, value: modeMask(armable) },
      { bytes: 4, value: modeMask(runnable) },
    ];
    this.outbox.event(this.timeMs(), 'commander_arming_check_summary', summary);
    const mode: EventArgument = { bytes: 4, value: modeMask([this.userMode]) };
    const component: EventArgument = { bytes: 1, value: 0 };
    for (const name of this.checks) this.outbox.event(this.timeMs(), name, [mode, component]);
    this.outbox.event(this.timeMs(), 'commander_health_summary', summary.slice(0, 3));
  }
}

function modeMask(modes: readonly NavState[]): number {
  return modes.reduce((mask, mode) => (mask | (1 << modeFacts(mode).bit)) >>> 0, 0);
}
