/**
 * The faults of the schedules: what each does, and whether it had anything to bite on.
 * Enters: a rig, chance. Leaves: an interference that lasts. Never: a fault that counts as fired
 * when nothing came its way.
 */
import type { Interference, Rig, Said } from './rig.js';

export interface FaultContext {
  readonly rig: Rig;
  readonly random: () => number;
  readonly durationUs: number;
  /** Call each time that the fault bites. */
  readonly bite: () => void;
}

/** Begins; the returned function ends it. */
type Begin = (context: FaultContext) => (() => void) | void;

const between = (random: () => number, from: number, to: number): number =>
  from + (to - from) * random();

function interfere({ rig }: FaultContext, interference: Interference): () => void {
  rig.interferences.add(interference);
  return () => void rig.interferences.delete(interference);
}

const num = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** All that another vehicle would say, contradicting ours where it hurts. */
function asOtherSystem(said: Said): Said {
  const { name, fields } = said.message;
  const changes =
    name === 'LOCAL_POSITION_NED'
      ? { x: num(fields['x']) + 40 }
      : name === 'HEARTBEAT'
        ? { base_mode: num(fields['base_mode']) ^ 128, custom_mode: 3 << 16 }
        : {};
  return { ...said, systemId: 2, message: { name, fields: { ...fields, ...changes } } };
}

/** HEARTBEAT goes on, so that only the stamps and values can tell. */
const FREEZABLE = new Set(['LOCAL_POSITION_NED', 'ATTITUDE', 'ODOMETRY', 'SYSTEM_TIME']);

const acks = (context: FaultContext, change: (said: Said) => readonly Said[]): (() => void) =>
  interfere(context, (said) => {
    if (said.message.name !== 'COMMAND_ACK') return [said];
    context.bite();
    return change(said);
  });

/** Counts what the channel counts: datagrams that really were dropped, doubled or delayed. */
function channelTrouble(
  { rig, bite }: FaultContext,
  to: 'toVehicle' | 'fromVehicle' | 'both',
  trouble: Readonly<Record<string, number>>,
  count: 'dropped' | 'duplicated' | 'reordered' | 'corrupted',
): () => void {
  const both = [rig.link.toVehicle, rig.link.fromVehicle];
  const channels = to === 'both' ? both : [rig.link[to]];
  const before = channels.map((channel) => channel.counts[count]);
  for (const channel of channels) channel.trouble = { ...channel.trouble, ...trouble };
  return () => {
    channels.forEach((channel, k) => {
      const none = Object.fromEntries(Object.keys(trouble).map((key) => [key, 0]));
      channel.trouble = { ...channel.trouble, ...none };
      for (let n = channel.counts[count] - (before[k] ?? 0); n > 0; n -= 1) bite();
    });
  };
}

export const FAULTS = {
  'telemetry-stale': (c) => {
    const lateUs = between(c.random, 1_200_000, 4_000_000);
    return interfere(c, (said) => {
      c.bite();
      return [{ ...said, dueUs: said.dueUs + lateUs }];
    });
  },
  'telemetry-duplicated': (c) =>
    channelTrouble(c, 'fromVehicle', { duplicate: between(c.random, 0.3, 1) }, 'duplicated'),
  'telemetry-reordered': (c) => {
    const reorderUs = between(c.random, 40_000, 500_000);
    const trouble = { reorder: between(c.random, 0.1, 0.5), reorderUs };
    return channelTrouble(c, 'fromVehicle', trouble, 'reordered');
  },
  'telemetry-frozen': (c) => {
    const first = new Map<string, Said>();
    return interfere(c, (said) => {
      const { name } = said.message;
      if (!FREEZABLE.has(name)) return [said];
      const frozen = first.get(name);
      if (frozen === undefined) {
        first.set(name, said);
        return [said];
      }
      c.bite();
      return [{ ...frozen, dueUs: said.dueUs }];
    });
  },
  'telemetry-wrong-system': (c) => {
    const instead = c.random() < 0.3;
    return interfere(c, (said) => {
      c.bite();
      return instead ? [asOtherSystem(said)] : [said, asOtherSystem(said)];
    });
  },
  'telemetry-silent': (c) => {
    const names = ['LOCAL_POSITION_NED', 'HEARTBEAT', 'EXTENDED_SYS_STATE', 'GPS_RAW_INT'];
    const name = names[Math.floor(c.random() * names.length)];
    return interfere(c, (said) => {
      if (said.message.name !== name) return [said];
      c.bite();
      return [];
    });
  },
  'link-drop': (c) => channelTrouble(c, 'both', { drop: between(c.random, 0.1, 0.7) }, 'dropped'),
  'link-duplicate': (c) =>
    channelTrouble(c, 'toVehicle', { duplicate: between(c.random, 0.3, 1) }, 'duplicated'),
  'link-corrupt': (c) =>
    channelTrouble(c, 'both', { corrupt: between(c.random, 0.05, 0.4) }, 'corrupted'),
  'link-partition': (c) => {
    c.rig.link.partition(c.rig.nowUs + c.durationUs);
    return channelTrouble(c, 'both', {}, 'dropped');
  },
  'vehicle-reboot': (c) => {
    c.rig.autopilot.inject({ name: 'vehicle-reboot' });
    c.rig.watch.shiftNedM = { n: 0, e: 0 };
    c.bite();
  },
  'vehicle-disarmed': (c) => {
    if (c.rig.autopilot.status().armed) c.bite();
    c.rig.foreignCommand(400, [0, 21196]); // By force, as a kill switch does.
  },
  'mode-pilot': (c) => {
    c.rig.autopilot.inject({ name: 'pilot-takeover' });
    c.bite();
  },
  'mode-ground-station': (c) => {
    c.rig.foreignCommand(176, [1, 4, 3]); // AUTO.LOITER, which is a mode of ours as well.
    c.bite();
  },
  'ack-lost': (c) => acks(c, () => []),
  'ack-late': (c) => {
    const lateUs = between(c.random, 300_000, 3_000_000);
    return acks(c, (said) => [{ ...said, dueUs: said.dueUs + lateUs }]);
  },
  'ack-doubled': (c) => {
    const lateUs = between(c.random, 0, 2_000_000);
    return acks(c, (said) => [said, { ...said, dueUs: said.dueUs + lateUs }]);
  },
  'process-stall': (c) => {
    c.rig.stalledUntilUs = c.rig.nowUs + c.durationUs;
    c.bite();
  },
  'process-restart': (c) => {
    c.rig.restart();
    c.bite();
  },
  'disk-slow': (c) => {
    c.rig.ledger.durableLimit = c.rig.ledger.records.length;
    return () => {
      if (c.rig.ledger.durableLimit < c.rig.ledger.records.length) c.bite();
      c.rig.ledger.durableLimit = Infinity;
    };
  },
  'estimator-reset': (c) => {
    const jumpNedM = { n: between(c.random, -4, 4), e: between(c.random, -4, 4), d: 0 };
    c.rig.autopilot.inject({ name: 'estimator-reset', jumpNedM });
    const { n, e } = c.rig.watch.shiftNedM;
    c.rig.watch.shiftNedM = { n: n + jumpNedM.n, e: e + jumpNedM.e };
    c.bite();
  },
  'battery-drop': (c) => {
    c.rig.autopilot.inject({ name: 'battery-drop', fraction: between(c.random, 0.05, 0.29) });
    c.bite();
  },
  'gps-loss': (c) => {
    c.rig.autopilot.inject({ name: 'gps-loss', seconds: c.durationUs / 1e6 });
    c.bite();
  },
  'range-silent': (c) => {
    c.rig.rangeM = undefined;
    c.bite();
    return () => {
      c.rig.rangeM = 4;
    };
  },
} as const satisfies Readonly<Record<string, Begin>>;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[]; // The keys are the kinds.

export interface Planned {
  readonly kind: FaultKind;
  /** After the response was submitted. */
  readonly startUs: number;
  readonly durationUs: number;
}

/** Little of a flight lies later than this: the shortest lands after 14 s, and then disarms. */
const LATEST_START_US = 17_000_000;
const SHORTEST_US = 200_000;
const LONGEST_US = 5_000_000;
/** Acknowledgements are few: what befalls them lasts, so that there are some to befall. */
const ACKS_US = 15_000_000;
const FAULTS_MAX = 3;

/** Two faults that meet find more than two that do not. */
const MEET = 0.5;
const MEET_WITHIN_US = 2_000_000;

/** One to three faults at random moments, half of the later ones right after the one before. */
export function planFaults(random: () => number): readonly Planned[] {
  const planned: Planned[] = [];
  const count = 1 + Math.floor(random() * FAULTS_MAX);
  for (let k = 0; k < count; k += 1) {
    const before = planned[k - 1];
    const kind = FAULT_KINDS[Math.floor(random() * FAULT_KINDS.length)] ?? 'link-drop';
    const meets = before !== undefined && random() < MEET;
    const startUs = meets
      ? before.startUs + Math.floor(random() * MEET_WITHIN_US)
      : Math.floor(random() * LATEST_START_US);
    const longestUs = kind.startsWith('ack-') ? ACKS_US : LONGEST_US;
    const durationUs = Math.floor(between(random, SHORTEST_US, longestUs));
    planned.push({ kind, startUs, durationUs });
  }
  return planned;
}
