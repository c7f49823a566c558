/** A bridge that the machine stops for a while: what a pilot did meanwhile must stand. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lastWords, Stage } from './support/stage.js';
import { isActuation, tapped } from './support/tap.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);
const ms = (duration: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, duration));

it('sends nothing against a pilot who took over while the bridge stood still', async () => {
  const wire = await tapped(stage, ['--speed', '1']);
  const bridge = stage.bridge({ url: wire.url });
  const host = stage.host();
  const inLegWest = '"id":"leg-west","kind":"flight.goto","state":"active"';
  await bridge.line((line) => JSON.stringify(line).includes(inLegWest), 60_000);
  await ms(1000);
  bridge.child.kill('SIGSTOP');
  await ms(200);
  wire.vehicle.child.stdin?.write('{"fault":"pilot-takeover"}\n');
  await ms(1500);
  const resumedUs = nowUs();
  bridge.child.kill('SIGCONT');
  await ms(4000);
  const after = wire.frames().filter((frame) => isActuation(frame) && frame.atUs > resumedUs);
  expect(after, lastWords(bridge)).toEqual([]);
  const modes = wire.vehicle.lines.filter((line) => line['event'] === 'mode');
  expect(modes.at(-1)?.['mode']).toBe('POSCTL');
  host.child.kill('SIGTERM');
  bridge.child.kill('SIGTERM');
}, 100_000);
