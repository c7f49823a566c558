/** The tower example flown by the real engine against the embedded autopilot, in virtual time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXAMPLE, Flight } from './flight.js';

const example = (file: string): object =>
  JSON.parse(readFileSync(join(EXAMPLE, file), 'utf8')) as object;

describe('the tower example', () => {
  it('is flown whole, and every obligation rests on a receipt', () => {
    const flight = new Flight().ready();
    const reply = flight.submit(example('response.json'));
    expect(reply.findings).toEqual([]);
    expect(reply.verdict?.components.flatMap((c) => c.findings)).toEqual([]);
    flight.until('landing', () => flight.stateOf('down') === 'done', 120);
    const { task } = flight.engine.state();
    expect(task.obligations.map((o) => o.state)).toEqual(task.obligations.map(() => 'satisfied'));
  });
});
