/**
 * The words in which a receipt says what was observed, and when they meet an obligation.
 * Enters: an obligation of the contract and a receipt. Leaves: whether one fulfils the other.
 * Never: a guess. A word that the contract asks for and the receipt lacks does not match.
 *
 *   armed, disarmed, airborne, landed   true when the vehicle showed it
 *   position    [east, north, up] in m, local ENU, at the end of the dwell
 *   dwellS      how long the completion test held without a break
 *   altitudeM   height above home, for people; no obligation asks for it
 *   completed   true when all of the kind was carried out: the path flown, the turn made
 *   delivered   true when an utterance reached its reader
 *   sensor      the sensor that a report is about
 *   shown.ID         seconds that each predicate of `shown` of obligation ID had held, in its order
 *   shown.ID.FIELD   the value of that field then
 */
import { meets, type Observed, type ReceiptBody, type TaskObligation } from '../contract/index.js';

/** Words of the contract's evidence that are the same words, with the value true, in a receipt. */
export const OBSERVED_FLAGS = [
  'armed',
  'disarmed',
  'airborne',
  'landed',
  'completed',
  'delivered',
] as const;
export type ObservedFlag = (typeof OBSERVED_FLAGS)[number];

/** What completing a kind shows. Effects fill these words; a contract may ask for no others. */
export const OBSERVED_BY = {
  arm: ['armed'],
  disarm: ['disarmed'],
  takeoff: ['airborne', 'position', 'dwellS', 'altitudeM'],
  goto: ['airborne', 'position', 'dwellS'],
  follow_path: ['airborne', 'position', 'dwellS', 'completed'],
  orbit: ['airborne', 'position', 'dwellS', 'completed'],
  yaw: ['airborne', 'position', 'dwellS', 'completed'],
  velocity: ['airborne', 'position', 'dwellS', 'completed'],
  hold: ['airborne', 'position', 'dwellS'],
  land: ['landed', 'disarmed'],
  return: ['landed', 'disarmed', 'airborne', 'position', 'dwellS'],
  capture: ['completed'],
  point: ['completed', 'dwellS'],
  release: ['completed'],
  winch: ['completed', 'dwellS'],
  param_set: ['completed'],
  mission_upload: ['completed'],
  mission_start: ['airborne', 'position', 'dwellS', 'completed'],
  mission_pause: ['airborne', 'position'],
  report_position: ['delivered'],
  report_battery: ['delivered'],
  report_range: ['delivered', 'sensor'],
  report_image: ['delivered'],
  report_custom: ['delivered'],
  operator_message: ['delivered'],
  operator_ask: ['delivered'],
} as const;

type Shown = Pick<ReceiptBody, 'kind' | 'observed'>;

/** True when the receipt shows everything that the obligation asks for. */
export function fulfils(obligation: TaskObligation, receipt: Shown): boolean {
  const { target, evidence } = obligation;
  if (receipt.kind !== target.kind) return false;
  if (target.sensor !== undefined && receipt.observed['sensor'] !== target.sensor) return false;
  for (const flag of OBSERVED_FLAGS) {
    if (evidence[flag] === true && receipt.observed[flag] !== true) return false;
  }
  if (!isShown(obligation, receipt.observed)) return false;
  return evidence.within === undefined || isWithin(obligation, receipt.observed);
}

/** True when nothing but `shown` may be lacking: what a receipt then still waits for. */
export const fulfilsButShown = (obligation: TaskObligation, receipt: Shown): boolean =>
  fulfils({ ...obligation, evidence: { ...obligation.evidence, shown: undefined } }, receipt);

/** The words of a receipt for what `shown` of an obligation asks for. */
export const shownWord = (obligationId: string, field?: string): string =>
  field === undefined ? `shown.${obligationId}` : `shown.${obligationId}.${field}`;

function isShown({ id, evidence }: TaskObligation, observed: Observed): boolean {
  if (evidence.shown === undefined) return true;
  const heldS = observed[shownWord(id)];
  if (!Array.isArray(heldS)) return false;
  return (evidence.shown ?? []).every((one, index) => {
    const value = observed[shownWord(id, one.field)];
    const held: unknown = heldS[index];
    return (
      typeof held === 'number' && held >= one.dwellS && value !== undefined && meets(one, value)
    );
  });
}

/**
 * True when carrying out an admitted component could fulfil the obligation: what is asked of an
 * effect that never got as far as a receipt.
 */
export function mayFulfil(
  obligation: TaskObligation,
  meant: {
    readonly kind: string;
    readonly positionM?: readonly number[] | undefined;
    readonly sensor?: string | undefined;
  },
): boolean {
  const { target, evidence } = obligation;
  if (meant.kind !== target.kind) return false;
  if (target.sensor !== undefined && meant.sensor !== target.sensor) return false;
  if (evidence.within === undefined || meant.positionM === undefined) return true;
  return isNear(obligation, meant.positionM);
}

function isWithin(obligation: TaskObligation, observed: Observed): boolean {
  const dwellS = observed['dwellS'];
  const position = observed['position'];
  if (typeof dwellS !== 'number' || !Array.isArray(position)) return false;
  return dwellS >= (obligation.evidence.within?.dwellS ?? Infinity) && isNear(obligation, position);
}

function isNear({ target, evidence }: TaskObligation, position: readonly number[]): boolean {
  const { within } = evidence;
  const [east, north, up] = position;
  if (within === undefined || target.positionM === undefined) return false;
  if (east === undefined || north === undefined || up === undefined) return false;
  const horizontalM = Math.hypot(east - target.positionM[0], north - target.positionM[1]);
  const verticalM = Math.abs(up - target.positionM[2]);
  // Written so that NaN fails both.
  return horizontalM <= within.horizontalM && verticalM <= within.verticalM;
}
