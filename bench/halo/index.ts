/** The suite of admission and gate, from the quick ones to those that need other processes. */
import type { Ratio } from '../ratio.js';
import { admissionRatios } from './admission.js';
import { gateRatios } from './gate.js';
import { pacedRatio } from './paced.js';
import { wireRatios } from './wire.js';

export async function haloSuite(): Promise<readonly Ratio[]> {
  return [
    ...admissionRatios(),
    ...(await gateRatios()),
    await pacedRatio(),
    ...(await wireRatios()),
  ];
}
