/**
 * The simulator's process: options, the tick, the control channel, the end.
 * In: arguments, standard input, signals. Out: MAVLink over UDP, reports on standard output.
 */
import { createInterface } from 'node:readline';
import { parseControlLine } from './fault-plan.js';
import { HELP, parseOptions, type SimOptions } from './options.js';
import { startRangeNode, type RangeNode } from './range-node.js';
import { VehicleProcess, type Report } from './vehicle-process.js';
import { systemClock } from '../src/platform/index.js';

/** One wake-up simulates one physics step at real-time speed; node's timer is about 1 ms coarse. */
const TICK_MS = 4;
const EXIT_USAGE = 2;
const EXIT_FAILED = 1;

function printer(json: boolean): (report: Report) => void {
  if (json) return (report) => process.stdout.write(`${JSON.stringify(report)}\n`);
  return (report) => {
    if (report.event === 'truth') return;
    const { event, instance, timeS, ...rest } = report;
    const details = Object.entries(rest).map(([key, value]) => `${key}=${String(value)}`);
    process.stdout.write(
      `${String(timeS)} s  vehicle ${String(instance)}  ${event}  ${details.join(' ')}\n`,
    );
  };
}

async function run(options: SimOptions): Promise<void> {
  const report = printer(options.json);
  const vehicles = Array.from(
    { length: options.instances },
    (_, instance) => new VehicleProcess(instance, options, report),
  );
  await Promise.all(vehicles.map((vehicle) => vehicle.open()));
  const first = vehicles[0];
  let rangeNode: RangeNode | undefined;
  const timer = setInterval(() => {
    const nowUs = systemClock.nowUs();
    for (const vehicle of vehicles) vehicle.tick(nowUs);
  }, TICK_MS);

  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    clearInterval(timer);
    for (const vehicle of vehicles) vehicle.close();
    rangeNode?.stop();
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  listenToOperator(vehicles, report, options.withParent ? end : () => undefined);
  for (let k = 0; k < options.instances; k += 1) {
    report({
      event: 'listening',
      instance: k,
      timeS: 0,
      systemId: k + 1,
      port: options.portBase + k,
      remotePort: options.remoteBase + k,
    });
  }
  if (options.rangeRos && first !== undefined) {
    rangeNode = await startRangeNode(first.autopilot, options.tower, options.seed);
    report({ event: 'range', instance: 0, timeS: 0, topic: rangeNode.topic });
  }
}

function listenToOperator(
  vehicles: readonly VehicleProcess[],
  report: (report: Report) => void,
  ended: () => void,
): void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    try {
      const { fault, instance } = parseControlLine(line);
      const vehicle = vehicles[instance];
      if (vehicle === undefined) throw new Error(`there is no instance ${instance}`);
      vehicle.inject(fault);
    } catch (error) {
      report({ event: 'refused', instance: 0, timeS: 0, reason: String(error) });
    }
  });
  lines.on('close', ended);
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else {
    await run(options).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(EXIT_FAILED);
    });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(EXIT_USAGE);
}
