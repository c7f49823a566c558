/**
 * The parameter store and its MAVLink service.
 * In: PARAM_REQUEST_READ, PARAM_REQUEST_LIST, PARAM_SET. Out: PARAM_VALUE, PARAM_ERROR.
 * Integers travel bytewise: the 32 bits of the integer lie in the float field, which the codec does
 * by param_type. Like PX4 it checks no ranges and accepts changes while armed. Never writes a file.
 */
import { PARAMETER_TABLE, type ParameterDefinition } from './parameter-table.js';
import type { IncomingMessage, OutgoingMessage } from './types.js';

const MAV_PARAM_TYPE_INT32 = 6;
const MAV_PARAM_TYPE_REAL32 = 9;
/** MAV_PARAM_ERROR: the name is unknown; the type is not the parameter's. */
const ERROR_DOES_NOT_EXIST = 1;
const ERROR_TYPE_MISMATCH = 7;
/** The list goes out in portions, so that telemetry keeps its rates while it does. */
const LIST_VALUES_PER_STEP = 4;

export class ParameterStore {
  private readonly values = new Map<string, number>();
  private readonly outgoing: OutgoingMessage[] = [];
  private listNext = PARAMETER_TABLE.length;

  constructor(overrides: Readonly<Record<string, number>> = {}) {
    for (const definition of PARAMETER_TABLE) {
      this.values.set(definition.name, stored(definition, definition.initial));
    }
    for (const [name, value] of Object.entries(overrides)) this.set(name, value);
  }

  /** The value in its own unit. Unknown names are a mistake of this program, not of a peer. */
  get(name: string): number {
    const value = this.values.get(name);
    if (value === undefined) throw new Error(`the autopilot has no parameter ${name}`);
    return value;
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** Throws on an unknown name: it comes from an operator's option and must not pass silently. */
  set(name: string, value: number): void {
    const definition = PARAMETER_TABLE.find((entry) => entry.name === name);
    if (definition === undefined) throw new Error(`the autopilot has no parameter ${name}`);
    this.values.set(name, stored(definition, value));
  }

  /** True when the message belonged to this service. */
  handle(message: IncomingMessage): boolean {
    switch (message.name) {
      case 'PARAM_REQUEST_LIST':
        this.listNext = 0;
        return true;
      case 'PARAM_REQUEST_READ':
        this.read(message);
        return true;
      case 'PARAM_SET':
        this.write(message);
        return true;
      default:
        return false;
    }
  }

  /** What this service wants to say in this step. */
  drain(): OutgoingMessage[] {
    const messages = this.outgoing.splice(0);
    const end = Math.min(this.listNext + LIST_VALUES_PER_STEP, PARAMETER_TABLE.length);
    for (; this.listNext < end; this.listNext += 1) messages.push(this.valueMessage(this.listNext));
    return messages;
  }

  private read(message: IncomingMessage): void {
    const wanted = Number(message.fields['param_index'] ?? -1);
    const name = textOf(message.fields['param_id']);
    const index = wanted >= 0 ? wanted : PARAMETER_TABLE.findIndex((entry) => entry.name === name);
    if (PARAMETER_TABLE[index] === undefined) {
      this.refuse(message, name, wanted, ERROR_DOES_NOT_EXIST);
      return;
    }
    this.outgoing.push(this.valueMessage(index));
  }

  private write(message: IncomingMessage): void {
    const name = textOf(message.fields['param_id']);
    const index = PARAMETER_TABLE.findIndex((entry) => entry.name === name);
    const definition = PARAMETER_TABLE[index];
    if (definition === undefined) {
      this.refuse(message, name, -1, ERROR_DOES_NOT_EXIST);
      return;
    }
    if (Number(message.fields['param_type']) !== wireType(definition)) {
      this.refuse(message, name, index, ERROR_TYPE_MISMATCH);
      return;
    }
    this.values.set(name, stored(definition, Number(message.fields['param_value'])));
    this.outgoing.push(this.valueMessage(index));
  }

  private refuse(to: IncomingMessage, name: string, index: number, error: number): void {
    this.outgoing.push({
      name: 'PARAM_ERROR',
      fields: {
        target_system: to.systemId,
        target_component: to.componentId,
        param_id: name,
        param_index: index,
        error,
      },
    });
  }

  private valueMessage(index: number): OutgoingMessage {
    const definition = PARAMETER_TABLE[index];
    if (definition === undefined) throw new Error(`no parameter has index ${index}`);
    return {
      name: 'PARAM_VALUE',
      fields: {
        param_id: definition.name,
        param_value: this.get(definition.name),
        param_type: wireType(definition),
        param_count: PARAMETER_TABLE.length,
        param_index: index,
      },
    };
  }
}

function wireType(definition: ParameterDefinition): number {
  return definition.type === 'int32' ? MAV_PARAM_TYPE_INT32 : MAV_PARAM_TYPE_REAL32;
}

function stored(definition: ParameterDefinition, value: number): number {
  return definition.type === 'int32' ? Math.trunc(value) : Math.fround(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\0.*$/s, '') : '';
}
