/** The door of the simulated Crazyflie. */
export { Crazyflie, STEP_US, type CrazyflieTruth } from './crazyflie.js';
export { SimulatedDongle, type AirOptions } from './dongle.js';
export type { CrazyflieOptions, Model, Xyz } from './types.js';
