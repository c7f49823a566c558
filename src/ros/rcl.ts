/**
 * Loads rclnodejs, or says why it cannot be loaded. Enters: the environment that a ROS 2 set-up
 * file (or the launcher) made. Leaves: the {@link Rcl} port. Never: the compiler: importing
 * rclnodejs without its addon starts a build of minutes, so the addon is tried first.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import { adaptRcl } from './rcl-adapter.js';
import type { ShapeOf } from './message-shape.js';
import type { Rcl } from './rcl-port.js';
import type { RawNative, RawRcl } from './rcl-raw.js';
import { REQUIRED_TYPES } from './topics.js';

/** Not a literal in `import()`: rclnodejs is optional, and types must hold without it. */
const PACKAGE: string = 'rclnodejs';

/**
 * HALO-801: no ROS 2 environment, or rclnodejs is not installed or not built for it.
 * HALO-802: the messages that the node speaks have not been generated.
 */
export async function loadRcl(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  required: readonly string[] = REQUIRED_TYPES,
): Promise<Result<Rcl>> {
  if (!environment['AMENT_PREFIX_PATH'] || !environment['ROS_DISTRO']) {
    return noRos('AMENT_PREFIX_PATH and ROS_DISTRO are not set');
  }
  const require = createRequire(import.meta.url);
  let root: string;
  try {
    root = dirname(dirname(require.resolve(PACKAGE)));
  } catch {
    return noRos('the package rclnodejs is not installed');
  }
  const addon = addonPath(root, environment['ROS_DISTRO']);
  if (addon === undefined) return noRos('rclnodejs has no binary for this machine yet');
  let native: RawNative;
  try {
    // The same file that rclnodejs loads, and so the same module.
    native = require(addon) as RawNative;
  } catch (error) {
    return noRos(`the binary of rclnodejs does not load: ${reasonOf(error)}`);
  }
  const hasType = (type: string): boolean => existsSync(generatedPath(root, type));
  const missing = required.find((type) => !hasType(type));
  if (missing !== undefined) {
    return fail(haloError('HALO-802', `No JavaScript has been generated for ${missing}.`));
  }
  // rclnodejs describes itself wrongly in places; rcl-raw.ts is what it really does.
  const loaded = (await import(PACKAGE)) as { readonly default: RawRcl };
  // Its SIGINT handler tears ROS down while the vehicle is still flying under a lease.
  loaded.default.removeSignalHandlers();
  const shapeOf: ShapeOf = (type) =>
    hasType(type) ? shapeIn(require(generatedPath(root, type))) : undefined;
  return ok(adaptRcl(loaded.default, native, { hasType, shapeOf }));
}

/** The definition that rclnodejs generates with each message. */
const definitionSchema = z.object({
  ROSMessageDef: z.object({
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.object({
          type: z.string(),
          pkgName: z.string().nullish(),
          isArray: z.boolean(),
          isPrimitiveType: z.boolean(),
        }),
      }),
    ),
  }),
});

function shapeIn(generated: unknown): ReturnType<ShapeOf> {
  // A class: its definition is a static getter.
  if (typeof generated !== 'function' || !('ROSMessageDef' in generated)) return undefined;
  const { ROSMessageDef } = generated;
  const parsed = definitionSchema.safeParse({ ROSMessageDef });
  if (!parsed.success) return undefined;
  return parsed.data.ROSMessageDef.fields.map(({ name, type }) => ({
    name,
    type: type.isPrimitiveType ? type.type : `${type.pkgName ?? ''}/msg/${type.type}`,
    isArray: type.isArray,
  }));
}

const noRos = (why: string): Result<never> =>
  fail(haloError('HALO-801', `ROS 2 cannot be used: ${why}.`));

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);

/** As rclnodejs itself looks: a prebuilt one for exactly this system, else its own build. */
function addonPath(root: string, rosDistro: string): string | undefined {
  const { arch } = process;
  const prebuilt = `${rosDistro}-${systemCodename()}-${arch}-node-rclnodejs.node`;
  return [
    join(root, 'prebuilds', `linux-${arch}`, prebuilt),
    join(root, 'build', 'Release', 'rclnodejs.node'),
  ].find((path) => existsSync(path));
}

function systemCodename(): string {
  try {
    return /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

function generatedPath(root: string, type: string): string {
  const [pkg = '', kind = '', name = ''] = type.split('/');
  return join(root, 'generated', pkg, `${pkg}__${kind}__${name}.js`);
}
