/**
 * The gate at the pace of a flight: one setpoint in each tick of the product's own ticker, through
 * the engine's order of a tick. Timed is the setpoint call alone: mint, all checks (the boot epoch
 * is asked of the ledger's folder), and the write, which here goes nowhere.
 * Enters: nothing. Leaves: a ratio. Never: a gate that was just called: a period lies between.
 */
import { startTicking, systemClock } from '../../src/platform/index.js';
import { timesOf } from '../measure.js';
import { ratioOf, type Ratio } from '../ratio.js';
import { openFlight, warmUp, type Flight } from './flight.js';

const RATE_HZ = 50;
const PERIOD_US = 1_000_000 / RATE_HZ;
const PACED = 500;
/** The first second belongs to the compiler, as in a flight the time before the first leg. */
const WARM_UP = 50;
/** Metres a tick: 2 m/s. */
const STEP_M = 0.04;

export async function pacedRatio(): Promise<Ratio> {
  let written = 0;
  const flight = await openFlight({
    write: () => ({ ok: true, value: { sequence: (written += 1) } }),
    drain: () => undefined,
  });
  await warmUp(flight);
  const tookUs = await paced(flight);
  await flight.close();
  const times = timesOf(tookUs.slice(WARM_UP));
  return ratioOf(
    'gate p99 at 50 Hz / period',
    times.p99Us / PERIOD_US,
    ['<=', 0.01],
    [['setpoint call, once in 20 ms', times]],
  );
}

const paced = (flight: Flight): Promise<readonly number[]> =>
  new Promise((done) => {
    const tookUs: number[] = [];
    const stop = startTicking(systemClock, RATE_HZ, (nowUs) => {
      tookUs.push(flight.tick((1 + tookUs.length) * STEP_M, nowUs).tookUs);
      if (tookUs.length < WARM_UP + PACED) return;
      stop();
      done(tookUs);
    });
  });
