/**
 * The action `execute_response`. Enters: goals, that is responses as text, and cancels.
 * Leaves: feedback while components change, and one result. Never: a goal without an end, or
 * success for a response of which a part was withheld.
 */
import type {
  ComponentProgress,
  EnginePort,
  Finding,
  ResponseReport,
  SubmitReply,
  Verdict,
} from '../contract/index.js';
import {
  noVerdict,
  toFinding,
  toLocalized,
  toProgress,
  toTask,
  toVehicle,
  toVerdict,
  type Clocks,
} from './convert.js';
import type { EventPump } from './event-pump.js';
import type * as msg from './messages.js';
import type { GoalEnd, RosGoal, RosNode } from './rcl-port.js';
import { findingFor, findingOf, type Requests } from './requests.js';
import { textIn } from './services.js';
import { ACTION } from './topics.js';

/** 10 Hz: what a person can still read. Each change of a state goes out at once. */
const FEEDBACK_PERIOD_US = 100_000;

/** Distance to go and vehicle, while a component flies and says nothing itself. */
const REFRESH_MS = 200;

/** After a cancel: the guardian's mode change takes up to 3 s, then the response ends. */
const END_GRACE_MS = 10_000;

export interface ActionDeps {
  readonly node: RosNode;
  readonly clocks: Clocks;
  readonly requests: Requests;
  /** Undefined while no bridge is configured. */
  readonly pump: () => EventPump | undefined;
  readonly timeoutS: () => number;
}

type Goal = RosGoal<msg.ExecuteFeedbackMsg>;
type End = GoalEnd<msg.ExecuteResultMsg | RefusedResult>;
/** A result without the task: all empty on the wire. */
type RefusedResult = Omit<msg.ExecuteResultMsg, 'task'>;

/** Serves the action; returns the function that ends the goals still running. */
export function serveExecuteResponse(deps: ActionDeps): () => void {
  const runs = new Map<Goal, GoalRun>();
  deps.node.serveAction<msg.ExecuteFeedbackMsg, msg.ExecuteResultMsg | RefusedResult>(
    ACTION.type,
    ACTION.name,
    {
      execute: async (goal) => {
        const run = new GoalRun(deps, goal);
        runs.set(goal, run);
        try {
          return await run.execute();
        } finally {
          runs.delete(goal);
        }
      },
      cancel: (goal) => runs.get(goal)?.cancel('cancelled by client'),
    },
  );
  return () => {
    for (const run of runs.values()) run.giveUp('The bridge is shutting down.');
  };
}

class GoalRun {
  readonly #deps: ActionDeps;
  readonly #goal: Goal;
  readonly #told = new Map<string, { state: string; atUs: number }>();
  readonly #end: Promise<End>;
  #resolve: (end: End) => void = () => undefined;
  #verdict: Verdict | undefined;
  #cancelReason: string | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(deps: ActionDeps, goal: Goal) {
    this.#deps = deps;
    this.#goal = goal;
    this.#end = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  async execute(): Promise<End> {
    const { requests, pump, timeoutS } = this.#deps;
    let unfollow: () => void = () => undefined;
    const reply = await requests.ask<SubmitReply>(
      (answer) => ({
        type: 'submit',
        text: textIn(this.#goal.request, 'response_json'),
        reply: answer,
      }),
      ({ accepted, verdict }) => {
        if (!accepted || verdict === undefined) return;
        // Inside the engine's turn: no event of this response can slip past.
        this.#verdict = verdict;
        unfollow = pump()?.follow(verdict.responseId, this.#follower()) ?? unfollow;
      },
    );
    if (!reply.ok) return this.#refused(undefined, [findingOf(reply.error)]);
    if (!reply.value.accepted) return this.#refused(reply.value.verdict, reply.value.findings);
    const deadline = setTimeout(
      () => this.cancel('the time of the goal is used up'),
      timeoutS() * 1000,
    );
    const refresh = setInterval(() => this.#refresh(), REFRESH_MS);
    if (this.#cancelReason !== undefined) this.#abort(this.#cancelReason);
    const end = await this.#end;
    clearTimeout(deadline);
    clearTimeout(this.#grace);
    clearInterval(refresh);
    unfollow();
    return end;
  }

  /** Ends the leases; the goal ends when the engine says that the response has ended. */
  cancel(reason: string): void {
    if (this.#cancelReason !== undefined) return;
    this.#cancelReason = reason;
    // Before the verdict there is nothing to abort; `execute` does it right after.
    if (this.#verdict !== undefined) this.#abort(reason);
  }

  giveUp(why: string): void {
    const engine = this.#deps.requests.engine();
    const id = this.#verdict?.responseId;
    const components = engine.ok
      ? engine.value.state().components.filter(({ responseId }) => responseId === id)
      : [];
    const finding = findingFor('HALO-310', why);
    this.#resolve({
      status: this.#goal.cancelRequested() ? 'canceled' : 'aborted',
      result: {
        outcome: 'aborted',
        verdict: this.#verdictMessage(this.#verdict, [finding]),
        findings: [toFinding(finding)],
        components: components.map(toProgress),
        obligations: [],
        summary_json: JSON.stringify({ outcome: 'aborted', responseId: id ?? '' }),
      },
    });
  }

  #abort(reason: string): void {
    this.#grace ??= setTimeout(() => this.giveUp(`Aborted: ${reason}.`), END_GRACE_MS);
    void this.#deps.requests.ask<{ accepted: boolean; action: string }>((answer) => ({
      type: 'abort',
      reason,
      reply: answer,
    }));
  }

  #follower() {
    return {
      onProgress: (progress: ComponentProgress) => this.#tell(progress),
      onEnded: (report: ResponseReport) => {
        // The change that ended the response is told as well, and before its end.
        for (const progress of report.components) this.#tell(progress);
        this.#resolve(this.#ended(report));
      },
    };
  }

  #refresh(): void {
    const engine = this.#deps.requests.engine();
    if (!engine.ok) return;
    for (const progress of engine.value.state().components) {
      const own = progress.responseId === this.#verdict?.responseId;
      if (own && progress.state === 'active') this.#tell(progress, engine.value);
    }
  }

  #tell(progress: ComponentProgress, known?: EnginePort): void {
    const engine = known ?? this.#engine();
    if (engine === undefined) return;
    const nowUs = this.#deps.clocks.clock.nowUs();
    const last = this.#told.get(progress.id);
    if (last?.state === progress.state && nowUs - last.atUs < FEEDBACK_PERIOD_US) return;
    this.#told.set(progress.id, { state: progress.state, atUs: nowUs });
    this.#goal.feedback({
      component: toProgress(progress),
      vehicle: toVehicle(engine.state().vehicle, this.#deps.clocks),
    });
  }

  #engine(): EnginePort | undefined {
    const engine = this.#deps.requests.engine();
    return engine.ok ? engine.value : undefined;
  }

  #ended(report: ResponseReport): End {
    const { clocks } = this.#deps;
    const canceled = this.#goal.cancelRequested();
    return {
      status: canceled ? 'canceled' : report.outcome === 'completed' ? 'succeeded' : 'aborted',
      result: {
        outcome: report.outcome,
        verdict: toVerdict(report.verdict, clocks),
        findings: [],
        components: report.components.map(toProgress),
        obligations: report.obligations.map((o) => toLocalized(o, clocks)),
        task: toTask(report.task, clocks),
        summary_json: JSON.stringify(summaryOf(report)),
      },
    };
  }

  #refused(verdict: Verdict | undefined, findings: readonly Finding[]): End {
    return {
      status: 'aborted',
      result: {
        outcome: 'refused',
        verdict: this.#verdictMessage(verdict, findings),
        findings: findings.map(toFinding),
        components: [],
        obligations: [],
        summary_json: JSON.stringify({
          outcome: 'refused',
          responseId: verdict?.responseId ?? '',
          codes: [...new Set(findings.map(({ code }) => code))],
        }),
      },
    };
  }

  #verdictMessage(verdict: Verdict | undefined, findings: readonly Finding[]): msg.VerdictMsg {
    const { clocks } = this.#deps;
    return verdict === undefined ? noVerdict(findings, clocks) : toVerdict(verdict, clocks);
  }
}

/** The result in a few numbers, for readers without the message types. */
function summaryOf(report: ResponseReport): object {
  const { verdict, task } = report;
  const obligations = { satisfied: 0, open: 0, unknown: 0, missed: 0 };
  for (const { state } of task.obligations) obligations[state] += 1;
  const admitted = verdict.components.filter((component) => component.admitted).length;
  return {
    outcome: report.outcome,
    responseId: verdict.responseId,
    generation: verdict.generation,
    components: { admitted, withheld: verdict.components.length - admitted },
    states: Object.fromEntries(report.components.map(({ id, state }) => [id, state])),
    obligations,
    localizedObligations: report.obligations.map(({ id }) => id),
    frontier: task.frontier,
  };
}
