/**
 * Parameter values from the command line and from the files that it names.
 * Enters: argv. Leaves: layers in the order given, later ones win.
 * Why not left to rclnodejs: it drops what is written for `/namespace/node`, which is how launch
 * files address a node in a namespace.
 * Never: a value for our node whose name nobody knows.
 */
import { fail, ok, type Result } from '../contract/index.js';
import { haloError, parseYaml, readYaml } from '../platform/index.js';
import { checkParameter, isParameterName, PARAMETER_NAMES } from './params.js';
import type { ParameterValue } from './rcl-port.js';

interface Assignment {
  /** A node name or a pattern: `/**`, `/uav1/halo_bridge`, `halo_bridge`. */
  readonly node: string;
  readonly name: string;
  readonly value: unknown;
  readonly where: string;
}

export type ParameterLayers = readonly Assignment[];

/** HALO-701 and HALO-702 for files, HALO-708 for arguments that cannot be read. */
export function readParameterLayers(argv: readonly string[]): Result<ParameterLayers> {
  const layers: Assignment[] = [];
  const rosArgs = rosArguments(argv);
  for (const [at, flag] of rosArgs.entries()) {
    const operand = rosArgs[at + 1];
    const read =
      flag === '--params-file'
        ? readFile(operand)
        : flag === '-p' || flag === '--param'
          ? readInline(operand)
          : ok([]);
    if (!read.ok) return read;
    layers.push(...read.value);
  }
  return ok(layers);
}

/** What stands between `--ros-args` and `--`; it may come several times. */
function rosArguments(argv: readonly string[]): string[] {
  const found: string[] = [];
  let inside = false;
  for (const argument of argv) {
    if (argument === '--ros-args') inside = true;
    else if (argument === '--') inside = false;
    else if (inside) found.push(argument);
  }
  return found;
}

function readInline(operand: string | undefined): Result<Assignment[]> {
  const match = /^(?:([^:=]+):)?([^:=]+):=(.*)$/s.exec(operand ?? '');
  if (match === null) {
    return fail(haloError('HALO-708', `-p ${operand ?? ''} is not name:=value.`, '-p'));
  }
  const [, node = '/**', name = '', text = ''] = match;
  const parsed = parseYaml(text, `-p ${name}`);
  if (!parsed.ok) return parsed;
  return ok([{ node, name, value: parsed.value.value ?? '', where: `-p ${name}` }]);
}

function readFile(path: string | undefined): Result<Assignment[]> {
  const file = readYaml(path ?? '');
  if (!file.ok) return file;
  const { value, lineOf } = file.value;
  const found: Assignment[] = [];
  const visit = (part: unknown, keys: readonly string[]): void => {
    if (!isMap(part)) return;
    for (const [key, inner] of Object.entries(part)) {
      const path = [...keys, key];
      if (key !== 'ros__parameters') visit(inner, path);
      else collect(inner, path, keys.map(trimSlashes).join('/'));
    }
  };
  const collect = (part: unknown, keys: readonly string[], node: string): void => {
    if (!isMap(part)) return;
    for (const [key, inner] of Object.entries(part)) {
      const path = [...keys, key];
      if (isMap(inner)) collect(inner, path, node);
      else {
        const name = path.slice(path.indexOf('ros__parameters') + 1).join('.');
        found.push({ node, name, value: inner, where: lineOf(path) });
      }
    }
  };
  visit(value, []);
  return ok(found);
}

const trimSlashes = (key: string): string => key.replace(/^\/+|\/+$/g, '');

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parameters that ROS itself gives every node. */
const ROS_OWN = /^(use_sim_time$|qos_overrides\.)/;

export interface OwnParameters {
  readonly values: ReadonlyMap<string, ParameterValue>;
  readonly useSimTime: boolean;
}

/**
 * The values for the node with this absolute name. HALO-708: a value that is not permitted, or a
 * name nobody knows in a part that names this node (a wildcard may mean other nodes).
 */
export function parametersFor(fullName: string, layers: ParameterLayers): Result<OwnParameters> {
  const values = new Map<string, ParameterValue>();
  let useSimTime = false;
  for (const { node, name, value, where } of layers) {
    if (!matches(node, fullName)) continue;
    if (name === 'use_sim_time') useSimTime = value === true;
    if (!isParameterName(name)) {
      if (node.includes('*') || ROS_OWN.test(name)) continue;
      const known = PARAMETER_NAMES.join(', ');
      return fail(
        haloError('HALO-708', `Parameter ${name} does not exist; there are ${known}.`, where),
      );
    }
    const checked = checkParameter(name, value, where);
    if (!checked.ok) return checked;
    values.set(name, checked.value);
  }
  return ok({ values, useSimTime });
}

/** A bare name matches in every namespace, as the ROS command line reads it. */
function matches(pattern: string, fullName: string): boolean {
  const parts = trimSlashes(pattern).split('/');
  const names = trimSlashes(fullName).split('/');
  if (parts.length === 1 && !pattern.includes('*')) return parts[0] === names.at(-1);
  const regex = parts
    .map((part) =>
      part === '**' ? '(?:/[^/]+)*' : `/${part.split('*').map(escape).join('[^/]+')}`,
    )
    .join('');
  return new RegExp(`^${regex}$`).test(`/${names.join('/')}`);
}

const escape = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
