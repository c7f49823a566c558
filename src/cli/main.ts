#!/usr/bin/env node
/**
 * `halo`: the command line. Enters: arguments. Leaves: an exit code (see exit-codes.ts).
 * Never: work of its own; one file a command.
 */
import { basename, join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { packageRoot } from '../platform/index.js';
import type { PlannedHome, PlanTerms } from '../recovery/index.js';
import { runBridge } from './bridge-command.js';
import { EXIT } from './exit-codes.js';
import { DRIFTS } from './fly/drifts.js';
import { runFly, type FlyOptions } from './fly-command.js';
import { runHost } from './host-command.js';
import { runKeygen, runMavlinkKeygen } from './keygen-command.js';
import { runPlanExport, runPlanImport } from './plan-command.js';
import { runVerify } from './verify-command.js';

const EXAMPLE = join(packageRoot(import.meta.url), 'examples/01-inspect-tower');

const within =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isFinite(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a number from ${min} to ${max}`);
  };

/** commander's camel-cased record of the options of `fly`. */
interface FlyFlags {
  json?: boolean;
  stay?: boolean;
  response: string;
  contract: string;
  candidate: string | false;
  speed: number;
  drift?: string;
  connect?: string;
  systemId: number;
  ledger?: string;
  foxglovePort: number;
}

interface HostFlags {
  response: string;
  candidate?: string;
  continue?: boolean;
  readyWithin: number;
}

const flyOptions = (flags: FlyFlags): FlyOptions => ({
  json: flags.json === true,
  stay: flags.stay === true,
  response: resolve(flags.response),
  contract: resolve(flags.contract),
  candidate: flags.candidate === false ? undefined : resolve(flags.candidate),
  speed: flags.speed,
  drift: flags.drift,
  connect: flags.connect,
  systemId: flags.systemId,
  ledger: flags.ledger === undefined ? undefined : resolve(flags.ledger),
  foxglovePort: flags.foxglovePort,
});

const driftHelp = Object.entries(DRIFTS)
  .map(([name, { means }]) => `  ${name.padEnd(16)} ${means}`)
  .join('\n');

const program = new Command('halo')
  .description('A control bridge between LLM agents and drones.')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage));

program
  .command('fly')
  .description('fly a response: vehicle, bridge and an agent’s host (npm start)')
  .option('--json', 'one JSON object a line, the last one the summary')
  .option('--stay', 'keep the bridge running after the flight')
  .option('--response <file>', 'what the agent answers', join(EXAMPLE, 'response.json'))
  .option('--contract <file>', 'the operator’s task contract', join(EXAMPLE, 'contract.yaml'))
  .option('--candidate <file>', 'how the agent answers a denial', join(EXAMPLE, 'candidate.json'))
  .option('--no-candidate', 'the agent answers no denial')
  .option('--speed <n>', 'simulated seconds a second, 0.5 to 10', within(0.5, 10), 1)
  .addOption(new Option('--drift <name>', 'what the world does').choices(Object.keys(DRIFTS)))
  .option('--connect <url>', 'a vehicle that is already there, such as udpin://127.0.0.1:14540')
  .option('--system-id <n>', 'MAVLink system id of the vehicle', within(1, 255), 1)
  .option('--ledger <dir>', 'folder of the ledger (default: a new one in .halo/runs)')
  .option('--foxglove-port <n>', 'port of the Foxglove server, 0 for any', within(0, 65_535), 8765)
  .addHelpText('after', `\nDrifts:\n${driftHelp}`)
  .action(async (flags: FlyFlags) => finish(await runFly(flyOptions(flags))));

program
  .command('bridge')
  .description('the ROS 2 node halo_bridge; parameters by --ros-args')
  .option('--events', 'print every event as one JSON object a line')
  .allowUnknownOption()
  .allowExcessArguments()
  .action(async (flags: { events?: boolean }) =>
    finish(await runBridge({ events: flags.events === true, argv: process.argv.slice(2) })),
  );

program
  .command('host')
  .description('send a response as an agent’s host would, over ROS 2')
  .requiredOption('--response <file>', 'what the agent answers')
  .option('--candidate <file>', 'how the agent answers a denial')
  .option('--continue', 'send what is left of the response, as the recovery context tells it')
  .option('--ready-within <s>', 'longest wait for a vehicle that can arm', within(1, 600), 10)
  .action(async (flags: HostFlags) =>
    finish(
      await runHost({
        response: flags.response,
        candidate: flags.candidate,
        continues: flags.continue === true,
        readyWithinS: flags.readyWithin,
      }),
    ),
  );

program
  .command('verify <dir>')
  .description('check a ledger: chain, signatures, keys, advances, snapshot')
  .option('--json', 'one JSON object')
  .action(async (dir: string, flags: { json?: boolean }) =>
    finish(await runVerify(resolve(dir), flags.json === true)),
  );

program
  .command('keygen [dir]')
  .description('make the key that signs a ledger’s receipts, or MAVLink; prints its id or file')
  .option('--rotate', 'replace the key: the old one signs the new one in the ledger')
  .option('--mavlink <file>', 'make a MAVLink 2 signing key, as PX4 and the bridge read it')
  .action(async (dir: string | undefined, flags: { rotate?: boolean; mavlink?: string }) => {
    const { rotate = false, mavlink } = flags;
    if ((dir === undefined) === (mavlink === undefined) || (rotate && dir === undefined)) {
      program.error('error: name the folder of a ledger, or --mavlink and a file', { exitCode: 2 });
    }
    if (mavlink !== undefined) finish(runMavlinkKeygen(resolve(mavlink)));
    else if (dir !== undefined) finish(await runKeygen(resolve(dir), rotate));
  });

/** What a reader that stalls has not taken by then, it will not take. */
const HAND_OVER_MS = 2_000;

/** `47.397742,8.545594,488`: degrees, and metres above sea level. */
function homeOf(text: string): PlannedHome {
  const [latitude = NaN, longitude = NaN, altitudeM = NaN, ...more] = text.split(',').map(Number);
  const known = Math.abs(latitude) <= 89 && Math.abs(longitude) <= 180 && altitudeM <= 9000;
  if (known && more.length === 0) return [latitude, longitude, altitudeM];
  throw new InvalidArgumentError('expected latitude,longitude,altitude');
}

interface PlanImportFlags {
  task?: string;
  contingency: PlanTerms['contingency'];
  attempts: number;
  time: number;
  out?: string;
}

const plan = program.command('plan').description('QGroundControl plans and task contracts');

plan
  .command('import <file>')
  .description('a .plan file as a task contract, to be read over')
  .option('--task <id>', 'id of the task (default: the name of the file)')
  .addOption(
    new Option('--contingency <action>', 'when nobody has a plan')
      .choices(['hold', 'land', 'return'])
      .default('land'),
  )
  .option('--attempts <n>', 'responses that may be taken up', within(1, 100), 4)
  .option('--time <s>', 'seconds for the task', within(1, 86_400), 900)
  .option('--out <file>', 'a new file (default: standard output)')
  .action((file: string, { task, contingency, attempts, time, out }: PlanImportFlags) => {
    const named = basename(file)
      .replace(/\.plan$/, '')
      .replace(/[^A-Za-z0-9_.-]+/g, '-');
    const terms = { task: task ?? named, contingency, budget: { attempts, timeS: time } };
    finish(runPlanImport({ file, out, terms }));
  });

plan
  .command('export')
  .description('what is left of a contract as a .plan file')
  .requiredOption('--contract <file>', 'the task contract')
  .requiredOption('--home <lat,lon,alt>', 'planned home, where the local origin lies', homeOf)
  .option('--ledger <dir>', 'what has been done of it (default: nothing)')
  .option('--out <file>', 'a new file (default: standard output)')
  .action(async (flags: { contract: string; home: PlannedHome; ledger?: string; out?: string }) =>
    finish(
      await runPlanExport({
        contract: flags.contract,
        home: flags.home,
        ledger: flags.ledger,
        out: flags.out,
      }),
    ),
  );

/** rclnodejs keeps threads: the exit is ours, after standard output has been handed over. */
function finish(code: number): void {
  setTimeout(() => process.exit(code), HAND_OVER_MS);
  process.stdout.write('', () => process.exit(code));
}

await program.parseAsync();
