/**
 * Typed reading of decoded messages. Enters: a message and a field name of the XML. Leaves: the
 * value in its type. Never: a default for a field that is not there; a wrong name is our own bug.
 */
import { assert } from '../platform/index.js';
import type { MavMessage } from './codec.js';

/** An integer of up to 32 bits, or a float; may be NaN or infinite, as the sender sent it. */
export function numberField(message: MavMessage, name: string): number {
  const value = message.fields[name];
  assert(typeof value === 'number', `${message.name}.${name} is a number`);
  return value;
}

/** A 64-bit integer. */
export function bigintField(message: MavMessage, name: string): bigint {
  const value = message.fields[name];
  assert(typeof value === 'bigint', `${message.name}.${name} is a 64-bit integer`);
  return value;
}

/** A char array, without padding. */
export function textField(message: MavMessage, name: string): string {
  const value = message.fields[name];
  assert(typeof value === 'string', `${message.name}.${name} is text`);
  return value;
}

/** An array of numbers. */
export function numbersField(message: MavMessage, name: string): readonly number[] {
  const value = message.fields[name];
  assert(typeof value === 'object', `${message.name}.${name} is an array`);
  return value;
}
