/**
 * The parameters of the node, and the typed values that the bridge starts with.
 * Enters: values by name. Leaves: {@link BridgeParams}, or HALO-708 with the place of the trouble.
 * Never: a value outside its range: it is refused, not clamped.
 */
import { fail, ok, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import type { DeclaredParameter, ParameterValue } from './rcl-port.js';

const text = (description: string, value: string): Spec => ({ type: 'string', description, value });
const flag = (description: string, value: boolean): Spec => ({ type: 'bool', description, value });
const whole = (description: string, value: number, min: number, max: number): Spec => ({
  type: 'integer',
  description,
  value,
  range: { min, max },
});
const real = (description: string, value: number, min: number, max: number): Spec => ({
  type: 'double',
  description,
  value,
  range: { min, max },
});
type Spec = Omit<DeclaredParameter, 'name'>;

/** Every parameter with its default. The ranges are what the rest of the bridge is tested for. */
export const PARAMETERS = {
  connection_url: text(
    'Where the vehicle is: udpin://host:port, udpout://host:port, udp://:port@host:port, ' +
      'tcpin://host:port, tcpout://host:port or serial:/dev/path:baud',
    'udpin://127.0.0.1:14540',
  ),
  system_id: whole('MAVLink system id of the vehicle; another vehicle is not flown', 1, 1, 255),
  mavlink_key_path: text(
    'Key that signs MAVLink, a file of halo keygen --mavlink; empty: nothing is signed or verified',
    '',
  ),
  contract_path: text('Task contract, a YAML file that the operator wrote', ''),
  catalog_path: text('Catalog of component kinds, a YAML file; empty: the one that is shipped', ''),
  evidence_map_path: text('Which ROS topics are evidence for what, a YAML file; empty: none', ''),
  ledger_dir: text('Folder of the ledger', ''),
  tick_hz: whole('Rate of the deciding tick [Hz]', 50, 10, 200),
  state_hz: real('Rate of ~/state, ~/vehicle and ~/dispatch [Hz]', 5, 0.5, 20),
  action_timeout_s: real(
    'Longest time that one execute_response goal may take [s]; then it is aborted',
    3600,
    1,
    86_400,
  ),
  foxglove_enabled: flag('Serve the Foxglove WebSocket', true),
  foxglove_host: text('Interface of the Foxglove server', '127.0.0.1'),
  foxglove_port: whole('TCP port of the Foxglove server; 0: any free one', 8765, 0, 65_535),
  autostart: flag('Configure and activate at once; false: a lifecycle manager does it', true),
} as const satisfies Record<string, Spec>;

export type ParameterName = keyof typeof PARAMETERS;
export const PARAMETER_NAMES = Object.keys(PARAMETERS) as ParameterName[];

export const isParameterName = (name: string): name is ParameterName => name in PARAMETERS;

/** What the bridge is made from. Paths are as the operator wrote them. */
export interface BridgeParams {
  readonly connectionUrl: string;
  readonly systemId: number;
  /** Empty: the link is not signed. */
  readonly mavlinkKeyPath: string;
  readonly contractPath: string;
  /** Empty: the catalog that is shipped. */
  readonly catalogPath: string;
  /** Empty: no ROS topic is evidence. */
  readonly evidenceMapPath: string;
  readonly ledgerDir: string;
  readonly tickHz: number;
  readonly stateHz: number;
  readonly actionTimeoutS: number;
  readonly foxgloveEnabled: boolean;
  readonly foxgloveHost: string;
  readonly foxglovePort: number;
  readonly autostart: boolean;
}

/** `where` is the place that the value came from: `file:line:column` or `-p`. */
export function checkParameter(
  name: ParameterName,
  value: unknown,
  where?: string,
): Result<ParameterValue> {
  const spec: Spec = PARAMETERS[name];
  const refuse = (what: string): Result<never> =>
    fail(haloError('HALO-708', `Parameter ${name} is ${what}.`, where));
  switch (spec.type) {
    case 'string':
      return typeof value === 'string' ? ok(value) : refuse(`${show(value)}; a text is expected`);
    case 'bool':
      return typeof value === 'boolean'
        ? ok(value)
        : refuse(`${show(value)}; true or false is expected`);
    case 'integer':
    case 'double': {
      const kind = spec.type === 'integer' ? 'a whole number' : 'a number';
      const fits = spec.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
      if (typeof value !== 'number' || !fits) return refuse(`${show(value)}; ${kind} is expected`);
      const { min, max } = spec.range ?? { min: -Infinity, max: Infinity };
      if (value < min || value > max) return refuse(`${value}; permitted is ${min} to ${max}`);
      return ok(value);
    }
  }
}

const show = (value: unknown): string => JSON.stringify(value) ?? String(value);

export function declared(values: ReadonlyMap<string, ParameterValue>): DeclaredParameter[] {
  return PARAMETER_NAMES.map((name) => {
    const spec: Spec = PARAMETERS[name];
    return { ...spec, name, value: values.get(name) ?? spec.value };
  });
}

/** Reads all parameters through `get` and checks each: HALO-708 names the first that is wrong. */
export function toBridgeParams(get: (name: ParameterName) => unknown): Result<BridgeParams> {
  for (const name of PARAMETER_NAMES) {
    const checked = checkParameter(name, get(name));
    if (!checked.ok) return checked;
  }
  const str = (name: ParameterName): string => String(get(name));
  const num = (name: ParameterName): number => Number(get(name));
  const bool = (name: ParameterName): boolean => get(name) === true;
  return ok({
    connectionUrl: str('connection_url'),
    systemId: num('system_id'),
    mavlinkKeyPath: str('mavlink_key_path'),
    contractPath: str('contract_path'),
    catalogPath: str('catalog_path'),
    evidenceMapPath: str('evidence_map_path'),
    ledgerDir: str('ledger_dir'),
    tickHz: num('tick_hz'),
    stateHz: num('state_hz'),
    actionTimeoutS: num('action_timeout_s'),
    foxgloveEnabled: bool('foxglove_enabled'),
    foxgloveHost: str('foxglove_host'),
    foxglovePort: num('foxglove_port'),
    autostart: bool('autostart'),
  });
}
