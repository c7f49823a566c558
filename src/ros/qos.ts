/**
 * The quality of service of every topic, by name. Enters: nothing. Leaves: profiles.
 * Never: a profile that is not in this file, or a history without a bound.
 */

export interface QosProfile {
  readonly reliability: 'reliable' | 'best_effort';
  readonly durability: 'volatile' | 'transient_local';
  readonly depth: number;
}

export const QOS = {
  /** What is true now: whoever joins late gets the latest one at once, and only that. */
  state: { reliability: 'reliable', durability: 'transient_local', depth: 1 },
  /** What happened: nothing may be lost. 50 holds the burst that a plan of 20 components makes. */
  events: { reliability: 'reliable', durability: 'volatile', depth: 50 },
  /** Numbers that the next message replaces; reliable, so that every kind of reader matches. */
  telemetry: { reliability: 'reliable', durability: 'volatile', depth: 5 },
  /** What sensors say: best effort matches every publisher, and an old sample is worth nothing. */
  sensor: { reliability: 'best_effort', durability: 'volatile', depth: 5 },
  /** ROS 2 diagnostics tools subscribe with this. */
  diagnostics: { reliability: 'reliable', durability: 'volatile', depth: 10 },
  /** Requests and their answers. */
  services: { reliability: 'reliable', durability: 'volatile', depth: 10 },
} as const satisfies Record<string, QosProfile>;

export type QosName = keyof typeof QOS;
