/** A ROS graph of a test's own. Import this before anything that loads rclnodejs. */

/**
 * Ports of the domains 0 to 99 lie below the ephemeral ports of Linux. Each test file runs in a
 * process of its own, so that its process id parts it from the others.
 */
process.env['ROS_DOMAIN_ID'] = String(1 + (process.pid % 98));
process.env['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST';
