/**
 * A decoded message as the link hands it over, and careful reading of its fields.
 * Enters: messages. Leaves: numbers and texts, or undefined. Never: a value of another type.
 */

/** The shape of the link's ReceivedMessage, as far as this room reads it. */
export interface Received {
  readonly message: {
    readonly name: string;
    readonly fields: Readonly<Record<string, number | bigint | string | readonly number[]>>;
  };
  readonly systemId: number;
  readonly componentId: number;
  readonly receivedUs: number;
}

type Fields = Received['message']['fields'];

/** A number; NaN when the field is missing or something else, so that nothing can rest on it. */
export function num(fields: Fields, name: string): number {
  const value = fields[name];
  return typeof value === 'number' ? value : Number.NaN;
}

export function nums(fields: Fields, name: string): readonly number[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((x) => typeof x === 'number') : [];
}

export function text(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

export function big(fields: Fields, name: string): bigint | undefined {
  const value = fields[name];
  return typeof value === 'bigint' ? value : undefined;
}
