/**
 * What each strategy makes of a flight, and whether DART held back without need.
 * Enters: cases. Leaves: rows. Never: DART's own predicates as the judge of DART.
 */
import { isDeepStrictEqual } from 'node:util';
import { STRATEGY_NAMES, type Judged, type Row, type StrategyName } from '../row.js';
import { twinsOf } from './cases.js';
import { fly, flyUndisturbed, type FlightCase, type Flown } from './fly.js';

export const FLIGHT_DOMAIN = 'flight inspection';

export class Flights {
  readonly #undisturbed = new Map<string, unknown>();

  row(of: FlightCase): Row {
    const judged = Object.fromEntries(
      STRATEGY_NAMES.map((name) => [name, this.#judge(of, name)]),
    ) as Record<StrategyName, Judged>;
    const { id, kind, sensitive } = of;
    return { id, kind, sensitive, domain: FLIGHT_DOMAIN, judged };
  }

  #judge(of: FlightCase, name: StrategyName): Judged {
    const flown = fly(of, name);
    const correct = this.#isRight(of, flown);
    return {
      kind: flown.kind,
      correct,
      stepsReexecuted: flown.reexecuted,
      unsafe: flown.kind === 'rollback' && !correct,
      falseBlock: name === 'dart' && flown.heldBack.some((k) => this.#wouldDo(of, k)),
    };
  }

  /** The way back that was held back, flown: right, whichever of the truths is so. */
  #wouldDo(of: FlightCase, checkpoint: number): boolean {
    return twinsOf(of).every((twin) => this.#isRight(twin, fly(twin, { checkpoint })));
  }

  #isRight(of: FlightCase, { view }: Flown): boolean {
    const key = `${of.seed} ${of.drop ? 'with' : 'without'} a load`;
    if (!this.#undisturbed.has(key)) this.#undisturbed.set(key, flyUndisturbed(of));
    return isDeepStrictEqual(view, this.#undisturbed.get(key));
  }
}
