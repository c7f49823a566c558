/**
 * The report as Markdown. Enters: findings. Leaves: text that is the same for the same seed.
 * Never: a figure that is not in them, or a time.
 */
import { boundOfZero } from './bound.js';
import { REPORTS_SENT } from './cold-starts/index.js';
import { PUBLISHED } from './floor.js';
import type { Findings } from './index.js';
import { VARIANTS } from './replay/index.js';
import { CHECKS, type Tally } from './schedules/index.js';

type Cell = string | number;

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const count = (n: number): string => n.toLocaleString('en');

/** A zero out of n tries drawn by chance, with what it says about the rate. */
const zeroOf = (bad: number, n: number): string =>
  bad === 0
    ? `0 of ${count(n)} (< ${boundOfZero(n).toPrecision(2)})`
    : `${count(bad)} of ${count(n)}`;

export interface Made {
  readonly quick: boolean;
  readonly shortfalls: readonly string[];
}

export function reportOf(found: Findings, { quick, shortfalls }: Made): string {
  return [
    '# HALO, evaluated on this bridge',
    `Made by \`npm run eval -- halo --json${quick ? ' --quick' : ''} --seed ${found.seed}\`: the ` +
      'same seed gives the same text on any machine. “0 of n (< b)”: nothing in n tries drawn by ' +
      'chance, so that with 95 % confidence the rate is below b (the exact bound, about 3 / n). ' +
      'Where all cases there are were tried, or fixed ones, a zero has no such bound and needs none.',
    quick ? '**A quick run**, smaller in every part: no evidence, only a sign of life.' : '',
    shortfalls.length > 0
      ? `**Not reached:** ${shortfalls.join('; ')}.`
      : quick
        ? ''
        : 'Every published figure is reached.',
    summary(found),
    '## Structured replay',
    ...replayText(found),
    '## Protocol tests',
    table(
      ['test', 'outcome'],
      found.protocol.map(({ name, trouble }) => [name, trouble === undefined ? 'holds' : 'FAILS']),
    ),
    '## Conformance of the closure',
    ...conformanceText(found),
    '## Fault schedules',
    ...scheduleText(found.schedules),
    '## Cold starts',
    ...coldStartText(found),
    '## Witnesses',
    ...witnessText(found),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
    .concat('\n');
}

function summary({
  replay,
  protocol,
  conformance,
  schedules,
  coldStarts,
  witnesses,
}: Findings): string {
  const full = replay.variants['halo-full'];
  const { expectations } = replay;
  const of = (n: number, all: number): string => `${n} of ${all}`;
  const blocked = (missed: number, chances: number): string => of(chances - missed, chances);
  const held = protocol.filter(({ trouble }) => trouble === undefined).length;
  const { runs, recovered, staleSetpoints } = coldStarts;
  const p = PUBLISHED;
  return table(
    ['figure', 'published', 'here'],
    [
      ['admission expectations met', p.expectations, of(expectations.met, expectations.total)],
      ['supported components kept', of(p.supported, p.supported), of(full.kept, full.supported)],
      ['orphans blocked', p.orphanChances, blocked(full.orphansLeaked, full.orphanChances)],
      ['stale dispatches blocked', p.staleChances, blocked(full.staleMissed, full.staleChances)],
      [
        'altered bindings blocked',
        p.wrongBindingChances,
        blocked(full.wrongBindingMissed, full.wrongBindingChances),
      ],
      ['protocol tests passed', p.protocolTests, of(held, protocol.length)],
      [
        'graphs compared',
        p.graphs,
        `${count(conformance.graphs)}, ${count(conformance.cases)} cases`,
      ],
      ['mismatches', 0, conformance.mismatches],
      ['fault schedules', count(p.schedules), count(schedules.runs)],
      ['violations in them', 0, zeroOf(schedules.violations, schedules.runs)],
      ['cold starts recovered', of(p.coldStarts, p.coldStarts), of(recovered, runs)],
      ['stale setpoints seen in them', 0, staleSetpoints],
      ['checks removed, and shown', '-', of(witnesses.shown, witnesses.removed)],
    ],
  );
}

function replayText({ replay }: Findings): readonly string[] {
  return [
    table(
      ['variant', 'supported kept', 'orphans leaked', 'stale missed', 'altered missed'],
      Object.entries(replay.variants).map(([name, v]) => [
        `\`${name}\``,
        `${v.kept} of ${v.supported}`,
        `${v.orphansLeaked} of ${v.orphanChances}`,
        `${v.staleMissed} of ${v.staleChances}`,
        `${v.wrongBindingMissed} of ${v.wrongBindingChances}`,
      ]),
    ),
    VARIANTS.map(({ name, what }) => `- \`${name}\`: ${what}.`).join('\n'),
    'All variants are the bridge’s own intake, admission and gate with checks left out. A supported ' +
      'part is kept when it is retained; an orphan leaks when a lease of its own would stand, or it ' +
      'would be delivered; a frame is missed when it is written. What was refused as a whole cannot ' +
      'leak: the cost of that is in the first column. A third of the stale and more than half of ' +
      'the altered chances are of plans of which nothing had drifted, so that those who refuse as ' +
      'a whole have them too. The expectations were written by hand from the catalog and stand in ' +
      '`scenarios/` as data.',
    ...replay.unmet.map((sentence) => `- ${sentence}`),
  ];
}

function conformanceText({ conformance }: Findings): readonly string[] {
  return [
    'The oracle is a C program. Small graphs: all sets are tried, and the union of those is taken ' +
      'that are supported and hold their own prerequisites. Larger ones: the smallest such set of ' +
      'each component is walked. The bridge does neither: it takes out what rests on what is out. ' +
      'Components on a cycle, or that require themselves or nothing that is there, are unsupported ' +
      'on both sides.',
    table(
      ['graphs', 'through', 'number', 'cases', 'retained', 'mismatches'],
      conformance.parts
        .filter(({ cases }) => cases > 0)
        .map((p) => [
          p.what,
          p.through,
          count(p.graphs),
          count(p.cases),
          `${(100 * p.retained).toFixed(0)} %`,
          p.drawn ? zeroOf(p.mismatches, p.cases) : `${p.mismatches} of all`,
        ]),
    ),
  ];
}

/** Enough to fly each again; the seed says it all. */
const FAILING_SHOWN = 20;

function scheduleText(tally: Tally): readonly string[] {
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
    `${count(tally.runs)} flights of the whole engine against the embedded autopilot in virtual ` +
      `time, one to three faults each; ${count(tally.frames)} frames that move a vehicle; ` +
      `${count(tally.completed)} errands completed all the same. Judged from the wire, the ledger ` +
      'and the simulated vehicle’s truth.',
    table(
      ['errand', 'flown', 'completed'],
      Object.entries(tally.errands).map(([name, { runs, completed }]) => [
        name,
        count(runs),
        count(completed),
      ]),
    ),
    table(
      ['what must hold', 'schedules that broke it'],
      names.map((n) => [n, zeroOf(broken(n), tally.runs)]),
    ),
    table(['fault', 'schedules it bit in', 'times it bit', 'of these with a violation'], faults),
    ...tally.failing
      .slice(0, FAILING_SHOWN)
      .map(({ seed, violations }) => `- seed ${seed}: ${violations[0] ?? ''}`),
  ];
}

function coldStartText({
  coldStarts: { runs, staleSetpoints, sessions },
}: Findings): readonly string[] {
  const recovered = sessions.filter((one) => one.recovered).length;
  return [
    'Vehicle, listener, bridge and agent as fresh processes, over ROS 2 and UDP. The world changes ' +
      'between the agent’s look and its route. The listener is pymavlink; it counts setpoints and ' +
      'commands to take off or change mode until the fresh route is sent. Sessions with such a ' +
      `frame: ${staleSetpoints === 0 ? zeroOf(0, runs) : 'see below'}; fresh routes not flown: ` +
      `${zeroOf(runs - recovered, runs)}.`,
    table(
      ['change', 'moves seen on the stale route', 'withheld', 'reports kept', 'fresh route'],
      sessions.map((s) => [
        s.change,
        s.staleSetpoints,
        s.trouble ?? s.withheld.join(', '),
        `${s.reportsKept} of ${REPORTS_SENT}`,
        s.recovered ? 'flown' : 'NOT FLOWN',
      ]),
    ),
  ];
}

function witnessText({ witnesses: { control, list } }: Findings): readonly string[] {
  return [
    'Each check left out in turn, which only tests can do; the class of bad event that it stops ' +
      'must come within 1,000 seeded runs. With all on, of all classes together: ' +
      `${zeroOf(control.bad, control.runs)} runs.`,
    table(
      ['room', 'left out', 'then', 'first seen in run'],
      list.map((w) => [w.room, w.removed, w.expected, w.shownAfter ?? 'NEVER']),
    ),
  ];
}
