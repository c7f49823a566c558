// Enters: AMENT_PREFIX_PATH. Leaves: rclnodejs's JavaScript messages of the packages in use, and no others.
// Never: rewrites all of them when only halo_interfaces changed, for programs may be using them.
// CommonJS, because the generator is reached by require.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..', '..');
const rclnodejs = path.join(root, 'node_modules', 'rclnodejs');
const generated = path.join(rclnodejs, 'generated');

// A desktop ROS 2 holds some eighty interface packages; generating these takes seconds, all take a minute.
const IN_USE = new Set([
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
]);

// The generator's own hook for leaving packages out is a file inside its package; this is the same hook.
const filter = require(path.join(rclnodejs, 'rosidl_gen', 'filter.cjs'));
filter.matchesAny = (info) => !IN_USE.has(info.pkgName);

async function main() {
  const generator = require(path.join(rclnodejs, 'rosidl_gen', 'index.cjs'));
  const [own] = generator.getInstalledPackagePaths();
  const complete = path.join(generated, 'complete.json');
  if (fs.existsSync(complete)) {
    fs.rmSync(path.join(generated, 'halo_interfaces'), { recursive: true, force: true });
    await generator.generateInPath(own);
  } else {
    await generator.generateAll(true);
    fs.writeFileSync(complete, '{}\n');
  }
  await require(path.join(rclnodejs, 'rostsd_gen', 'index.cjs')).generateAll();
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
