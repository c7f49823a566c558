/**
 * What is said of a parameter on the wire, and for how long an answer is waited for.
 * Enters: names, messages. Leaves: a request, yes or no. Never: a setting.
 */
import type { WireMessage } from '../contract/index.js';
import { AUTOPILOT, toAutopilot } from './messages.js';
import { text, type Received } from './received.js';

/** PX4 answers within milliseconds, a radio within half a second. */
export const PARAMETER_ANSWER_US = 1_000_000;
export const PARAMETER_TRIES_MAX = 3;

/** Whom, and which: what every message about a parameter begins with. */
export const parameterAddress = (targetSystem: number, name: string) => ({
  ...toAutopilot(targetSystem),
  param_id: name,
});

export const parameterRequest = (targetSystem: number, name: string): WireMessage => ({
  name: 'PARAM_REQUEST_READ',
  fields: { ...parameterAddress(targetSystem, name), param_index: -1 },
});

/** PARAM_VALUE or PARAM_ERROR of the autopilot, or whatever else names the parameter. */
export const tellsOfParameter = ({ message, componentId }: Received, name: string): boolean =>
  componentId === AUTOPILOT && text(message.fields, 'param_id') === name;
