/**
 * Parameter files as QGroundControl writes and loads them, with a reason and PX4's default for
 * each line in comments. Enters: text. Leaves: ParameterFile, or HALO-710 at `file:line`.
 * Never: a line that is guessed at, a parameter named twice, or a value that its type cannot hold.
 *
 *     # purpose: when this file is for you
 *     # not-yet: what has to come before it may be loaded          (where that is so)
 *     # reason: why this value                                     (goes on in indented lines)
 *     # default: 0
 *     1 <tab> 1 <tab> COM_OBL_RC_ACT <tab> 4 <tab> 6
 */
import {
  fail,
  MAV_PARAM_TYPE,
  ok,
  PARAMETER_TYPES,
  parameterNameSchema,
  type HaloError,
  type ParameterType,
  type Result,
} from '../contract/index.js';
import { haloError } from '../platform/index.js';
import { AUTOPILOT } from './messages.js';

/** PX4 has about 900 parameters; QGroundControl saves them all, with a head of ten lines. */
const LINES_MAX = 4000;

export interface ParameterLine {
  readonly name: string;
  readonly type: ParameterType;
  /** In the parameter's own unit; a float is the nearest 32-bit one. */
  readonly value: number;
  /** Why this value; a file that QGroundControl saved has none. */
  readonly reason?: string;
  /** PX4's own default, of the firmware and not of an airframe. */
  readonly px4Default?: number;
  readonly line: number;
}

export interface ParameterFile {
  readonly fileName: string;
  readonly purpose?: string;
  /** Why the file must not be loaded yet. */
  readonly notYet?: string;
  readonly vehicleId: number;
  readonly parameters: readonly ParameterLine[];
}

/** Decimal, so that `0x10`, an empty field or `1e400` is no number. */
const DECIMAL = /^-?\d+(\.\d+)?([eE][-+]?\d{1,2})?$/;

/** Comments before one parameter: what they say of it. */
interface Said {
  reason?: string;
  px4Default?: number;
}

class Reading {
  readonly #fileName: string;
  readonly #head: { purpose?: string; notYet?: string } = {};
  readonly #parameters: ParameterLine[] = [];
  #said: Said = {};
  #continues = false;
  #vehicleId: number | undefined;
  #line = 0;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  file(text: string): Result<ParameterFile> {
    const lines = text.split(/\r?\n/);
    if (lines.length > LINES_MAX) return fail(this.#unfit(`More than ${LINES_MAX} lines.`));
    for (const line of lines) {
      this.#line += 1;
      const trouble = line.startsWith('#') ? this.#comment(line) : this.#parameter(line);
      if (trouble !== undefined) return fail(trouble);
    }
    if (this.#vehicleId === undefined) return fail(this.#unfit('The file sets no parameter.'));
    const [fileName, vehicleId] = [this.#fileName, this.#vehicleId];
    return ok({ fileName, ...this.#head, vehicleId, parameters: this.#parameters });
  }

  #unfit(message: string): HaloError {
    return haloError('HALO-710', message, `${this.#fileName}:${Math.max(1, this.#line)}`);
  }

  #comment(line: string): HaloError | undefined {
    const more = /^# {2,}(\S.*)$/.exec(line)?.[1];
    if (this.#continues && more !== undefined) {
      this.#said.reason = `${this.#said.reason ?? ''} ${more}`;
      return undefined;
    }
    const [, key, said = ''] = /^# (purpose|not-yet|reason|default): (.*)$/.exec(line) ?? [];
    this.#continues = key === 'reason';
    if (key === 'purpose') this.#head.purpose = said;
    if (key === 'not-yet') this.#head.notYet = said;
    if (key === 'reason') this.#said.reason = said;
    if (key !== 'default') return undefined;
    if (!DECIMAL.test(said)) return this.#unfit(`The default "${said}" is no number.`);
    this.#said.px4Default = Number(said);
    return undefined;
  }

  #parameter(line: string): HaloError | undefined {
    if (line === '') return undefined;
    const fields = line.split('\t');
    const [vehicle = '', component = '', name = '', valueText = '', typeText = ''] = fields;
    if (fields.length !== 5) return this.#unfit(`${fields.length} fields; expected 5, by tabs.`);
    const vehicleId = Number(vehicle);
    if (!/^\d{1,3}$/.test(vehicle) || vehicleId < 1 || vehicleId > 255) {
      return this.#unfit(`The vehicle id "${vehicle}" is outside 1..255.`);
    }
    this.#vehicleId ??= vehicleId;
    if (vehicleId !== this.#vehicleId) return this.#unfit('The file names two vehicles.');
    if (component !== String(AUTOPILOT)) {
      return this.#unfit(`Component "${component}" is not the autopilot (${AUTOPILOT}).`);
    }
    if (!parameterNameSchema.safeParse(name).success) {
      return this.#unfit(`"${name}" is no name of a parameter.`);
    }
    const twice = this.#parameters.find((p) => p.name === name);
    if (twice !== undefined) return this.#unfit(`${name} is set in line ${twice.line} already.`);
    const type = PARAMETER_TYPES.find((t) => String(MAV_PARAM_TYPE[t]) === typeText);
    if (type === undefined) return this.#unfit(`Type "${typeText}" is neither 6 nor 9.`);
    const value = numberOf(valueText, type);
    if (value === undefined) return this.#unfit(`${name}: "${valueText}" is no ${type}.`);
    this.#parameters.push({ name, type, value, ...this.#said, line: this.#line });
    this.#said = {};
    this.#continues = false;
    return undefined;
  }
}

function numberOf(text: string, type: ParameterType): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  if (type === 'float') return Number.isFinite(Math.fround(value)) ? Math.fround(value) : undefined;
  return Number.isInteger(value) && value === (value | 0) ? value : undefined;
}

/** Errors: HALO-710 at `file:line`. */
export const parseParameterFile = (text: string, fileName: string): Result<ParameterFile> =>
  new Reading(fileName).file(text);
