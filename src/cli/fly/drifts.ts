/**
 * Named drifts of the example flight: what the world does to the plan on the way.
 * Enters: a name. Leaves: the fault as the simulator takes it, with when it comes.
 * Never: a drift that only the bridge is told of; each one happens to the simulated vehicle, or,
 * without a fault, to the bridge's own process.
 *
 * The first leg ends at [6, 1, 6]; halfway of the second is [3.5, 3.5, 6] (local ENU, metres).
 */

/** Within 1 m of the first target: while the leg still settles, before the second may start. */
const BEFORE_LEG_2 = 'near=6,1,6,1';
/** Within 1 m of the middle of the second leg, well away from both of its ends. */
const IN_LEG_2 = 'near=3.5,3.5,6,1';

/** This one has no fault: the process of the bridge is killed. */
export const BRIDGE_CRASH = 'bridge-crash';

export const DRIFTS: Readonly<Record<string, { readonly fault?: string; readonly means: string }>> =
  {
    [BRIDGE_CRASH]: {
      means: 'the bridge is killed in the second leg, and started again on its ledger',
    },
    'battery-drop': {
      fault: `battery-drop:0.25@${BEFORE_LEG_2}`,
      means: 'the battery falls to 25 % before the second leg',
    },
    'estimator-reset': {
      fault: `estimator-reset:3,-2,0@${IN_LEG_2}`,
      means: 'the local frame jumps in the second leg',
    },
    'pilot-takeover': {
      fault: `pilot-takeover@${IN_LEG_2}`,
      means: 'a pilot switches to position mode in the second leg',
    },
    'gps-loss': { fault: `gps-loss@${IN_LEG_2}`, means: 'no satellites from the second leg on' },
    'vehicle-reboot': {
      fault: `vehicle-reboot@${IN_LEG_2}`,
      means: 'the autopilot starts anew in the second leg',
    },
    'link-loss': {
      fault: `link-loss:6@${IN_LEG_2}`,
      means: 'no packets either way for 6 s in the second leg',
    },
    'range-silent': {
      fault: `range-silent@${IN_LEG_2}`,
      means: 'the forward range sensor falls silent in the second leg',
    },
    'wind-gust': {
      fault: `wind-gust:6,0,5@${IN_LEG_2}`,
      means: '6 m/s more wind from the west for 5 s in the second leg',
    },
    'arming-refused': {
      fault: 'arming-refused@t=8',
      means: 'the pre-arm checks fail from just after the vehicle was ready',
    },
  };
