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
