/**
 * The real bridge on the embedded vehicle, as processes. Enters: a folder with contract.yaml and
 * evidence.yaml. Leaves: their JSON lines, the ledger's folder, an end for both.
 * Never: a process that outlives the test, or a port that another program holds.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, Started, startSim } from '../../px4/sim-process.js';

const MAIN = path.resolve(import.meta.dirname, '../../../dist/src/cli/main.js');

/** Discovery, a ledger, a first heartbeat: 3 s on an idle machine. */
const START_MS = 20_000;

/** The bridge holds the vehicle for up to 5 s, then closes its ledger. */
const END_MS = 12_000;

export interface RealBridgeOptions {
  readonly folder: string;
  readonly simArgs: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

export class RealBridge {
  readonly ledgerDir: string;
  readonly bridge: Started;
  readonly #sim: Started;
  readonly #temp: string;

  private constructor(sim: Started, bridge: Started, temp: string) {
    this.#sim = sim;
    this.bridge = bridge;
    this.#temp = temp;
    this.ledgerDir = path.join(temp, 'ledger');
  }

  static async start({ folder, simArgs, parameters }: RealBridgeOptions): Promise<RealBridge> {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\``);
    const [vehiclePort, bridgePort] = [await freePort(), await freePort()];
    const temp = mkdtempSync(path.join(tmpdir(), 'halo-real-bridge-'));
    const ports = ['--port-base', String(vehiclePort), '--remote-base', String(bridgePort)];
    const sim = startSim([...ports, ...simArgs, '--range-ros', '--json', '--with-parent']);
    const all: Readonly<Record<string, string>> = {
      connection_url: `udpin://127.0.0.1:${bridgePort}`,
      contract_path: path.join(folder, 'contract.yaml'),
      evidence_map_path: path.join(folder, 'evidence.yaml'),
      ledger_dir: path.join(temp, 'ledger'),
      foxglove_port: '0',
      ...parameters,
    };
    const given = Object.entries(all).flatMap(([name, value]) => ['-p', `${name}:=${value}`]);
    const bridge = new Started(
      spawn(process.execPath, [MAIN, 'bridge', '--events', '--ros-args', ...given], {
        stdio: 'pipe',
      }),
    );
    const real = new RealBridge(sim, bridge, temp);
    try {
      await bridge.line(({ type }) => type === 'active', START_MS);
      return real;
    } catch (error) {
      await real.end();
      throw error;
    }
  }

  /** SIGTERM to the bridge, as launch sends it; its exit code, or null when it had to be killed. */
  async endBridge(): Promise<number | null> {
    const { child, exited } = this.bridge;
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    const code = await exited;
    clearTimeout(killer);
    return code;
  }

  async end(): Promise<void> {
    await this.endBridge();
    await this.#sim.end();
    rmSync(this.#temp, { recursive: true, force: true });
  }
}
