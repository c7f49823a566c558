// Enters: AMENT_PREFIX_PATH.
// Leaves: rclnodejs's JavaScript messages of the packages in use, and no others.
// Never: rewrites all of them when only halo_interfaces changed, for programs may be using them.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { RCLNODEJS } from './layout.mjs';
import { readOrEmpty } from './stamps.mjs';

// A desktop ROS 2 holds some eighty interface packages: these take seconds, all would take a
// minute.
const IN_USE = [
  'action_msgs',
  'builtin_interfaces',
  'diagnostic_msgs',
  'geometry_msgs',
  'halo_interfaces',
  'lifecycle_msgs',
  'nav_msgs',
  'px4_msgs',
  'rcl_interfaces',
  'rosgraph_msgs',
  'sensor_msgs',
  'service_msgs',
  'std_msgs',
  'std_srvs',
  'type_description_interfaces',
  'unique_identifier_msgs',
];

// Its type writer takes each entry of this folder without ".json" for a package.
const COMPLETE = path.join(RCLNODEJS, 'generated', 'complete.json');
const complete = `${JSON.stringify(IN_USE)}\n`;

const require = createRequire(import.meta.url);
// The generator leaves out what a file inside its package lists; this replaces what reads that
// file.
const filter = require(path.join(RCLNODEJS, 'rosidl_gen', 'filter.cjs'));
filter.matchesAny = (info) => !IN_USE.includes(info.pkgName);
const generator = require(path.join(RCLNODEJS, 'rosidl_gen', 'index.cjs'));

const [own] = generator.getInstalledPackagePaths();
if (readOrEmpty(COMPLETE) === complete) {
  const ours = path.join(RCLNODEJS, 'generated', 'halo_interfaces');
  fs.rmSync(ours, { recursive: true, force: true });
  await generator.generateInPath(own);
} else {
  await generator.generateAll(true);
  fs.writeFileSync(COMPLETE, complete);
}
await require(path.join(RCLNODEJS, 'rostsd_gen', 'index.cjs')).generateAll();
process.exit(0);
