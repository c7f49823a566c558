/**
 * The report as Markdown. Enters: findings. Leaves: text. Never: a figure that is not in them.
 */
import type { Findings } from './index.js';
import { VARIANTS } from './replay/index.js';
import { CHECKS } from './schedules/index.js';
import type { Tally } from './schedules/index.js';

type Cell = string | number;

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const count = (n: number): string => n.toLocaleString('en');

/** Of nothing in n runs: with 95 % confidence the rate is below this (the rule of three). */
const below = (n: number): string => (n === 0 ? '-' : `< ${(3 / n).toPrecision(2)}`);

const zeroOf = (bad: number, n: number): string => (bad === 0 ? `0 (${below(n)})` : count(bad));

export function reportOf(found: Findings, shortfalls: readonly string[]): string {
  return [
    '# HALO, evaluated on this bridge',
    `Made by \`npm run eval -- halo --json --seed ${found.seed}\`; the same seed gives the same ` +
      'figures, times aside. A zero is followed by the 95 % bound that so many tries put on the rate.',
    shortfalls.length === 0
      ? 'Every published figure is reached.'
      : `**Not reached:** ${shortfalls.join('; ')}.`,
    '## Structured replay',
    replayTable(found),
    VARIANTS.map(({ name, what }) => `- \`${name}\`: ${what}.`).join('\n'),
    'All variants are the bridge’s own intake, admission and gate with checks left out. A supported ' +
      'part is kept when it is retained; an orphan leaks when a lease of its own would stand, or it ' +
      'would be delivered; a frame is missed when it is written. What was refused as a whole cannot ' +
      'leak: the cost of that is in the first column. Expectations stand in `scenarios/` as data.',
    `Admission expectations met: ${found.replay.expectations.met} of ` +
      `${found.replay.expectations.total} (published: 96).`,
    ...found.replay.unmet.map((sentence) => `- ${sentence}`),
    '## Protocol tests',
    table(
      ['test', 'outcome'],
      found.protocol.map(({ name, trouble }) => [name, trouble === undefined ? 'holds' : 'FAILS']),
    ),
    '## Conformance of the closure',
    'The oracle is a C program that takes the union of all supported sets that hold their own ' +
      'prerequisites (small graphs), or walks from what is unsupported to all that rests on it.',
    table(
      ['graphs', 'through', 'number', 'cases', 'mismatches'],
      found.conformance.parts
        .filter(({ cases }) => cases > 0)
        .map((p) => [p.what, p.through, count(p.graphs), count(p.cases), p.mismatches]),
    ),
    '## Fault schedules',
    scheduleText(found.schedules),
    '## Cold starts',
    'Vehicle, listener, bridge and agent as fresh processes, over ROS 2 and UDP. The world changes ' +
      'between the agent’s look and its route. The listener is pymavlink; it counts setpoints and ' +
      'commands to take off or change mode until the fresh route is sent.',
    table(
      ['change', 'moves seen on the stale route', 'withheld', 'reports kept', 'fresh route'],
      found.coldStarts.sessions.map((s) => [
        s.change,
        s.staleSetpoints,
        s.trouble ?? s.withheld.join(', '),
        `${s.reportsKept} of 3`,
        s.recovered ? `flown, ${s.freshFrames} frames` : 'NOT FLOWN',
      ]),
    ),
    '## Witnesses',
    'Each check left out in turn; the class of bad event that it stops must come within 1,000 ' +
      `seeded runs. With all on: ${zeroOf(found.witnesses.control.bad, found.witnesses.control.runs)}` +
      ` in ${count(found.witnesses.control.runs)} runs.`,
    table(
      ['room', 'left out', 'then', 'first seen in run'],
      found.witnesses.list.map((w) => [w.room, w.removed, w.expected, w.shownAfter ?? 'NEVER']),
    ),
    '## Time',
    table(
      ['part', 'wall seconds'],
      Object.entries(found.seconds).map(([part, s]) => [part, s.toFixed(1)]),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

function replayTable({ replay }: Findings): string {
  return table(
    ['variant', 'supported kept', 'orphans leaked', 'stale missed', 'altered missed'],
    Object.entries(replay.variants).map(([name, v]) => [
      `\`${name}\``,
      `${v.kept} of ${v.supported}`,
      `${v.orphansLeaked} of ${v.orphanChances}`,
      `${v.staleMissed} of ${v.staleChances}`,
      `${v.wrongBindingMissed} of ${v.wrongBindingChances}`,
    ]),
  );
}

/** Enough to fly each again; the seed says it all. */
const FAILING_SHOWN = 20;

function scheduleText(tally: Tally): string {
  const faults = Object.entries(tally.fired).map(([kind, fired]) => {
    const bites = Object.entries(tally.bites).find(([name]) => name === kind)?.[1] ?? 0;
    const hurt = tally.failing.filter(({ planned }) => planned.some((p) => p.kind === kind)).length;
    return [kind, count(fired), count(bites), zeroOf(hurt, fired)];
  });
  const broken = (name: string): number =>
    tally.failing.filter(({ violations }) => violations.some((v) => v.startsWith(`${name}:`)))
      .length;
  const names = ['each frame once, in order', ...Object.keys(CHECKS)];
  return [
    `${count(tally.runs)} flights of the whole engine against the embedded autopilot, one to three ` +
      `faults each; ${count(tally.frames)} frames that move a vehicle; ${count(tally.completed)} ` +
      `errands completed all the same; violations: ${zeroOf(tally.violations, tally.runs)}.`,
    table(
      ['what must hold', 'schedules that broke it'],
      names.map((n) => [n, zeroOf(broken(n), tally.runs)]),
    ),
    table(['fault', 'schedules it bit in', 'times it bit', 'of these with a violation'], faults),
    ...tally.failing
      .slice(0, FAILING_SHOWN)
      .map(({ seed, violations }) => `- seed ${seed}: ${violations[0] ?? ''}`),
  ].join('\n\n');
}
