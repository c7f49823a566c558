// Enters: steps as they begin and end. Leaves: lines on standard error with elapsed seconds.
// Never: writes to standard output, which belongs to the program that is started afterwards.

const live = process.stderr.isTTY === true;
// A log without a terminal needs a sign of life now and then, not a line a second.
const QUIET_REPEAT_MS = 30_000;
const LIVE_REPEAT_MS = 500;

const secondsSince = (startMs) => ((Date.now() - startMs) / 1000).toFixed(1);

/** One line to the person who waits. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** Show that a step runs; the returned function ends the display and says how it ended. */
export function showStep(name, what) {
  const startMs = Date.now();
  const label = `${name.padEnd(10)} ${what}`;
  if (!live) say(`  .. ${label}`);
  const draw = () => {
    if (live) process.stderr.write(`\r\x1b[2K  .. ${label}  ${secondsSince(startMs)} s`);
    else say(`  .. ${name.padEnd(10)} still running, ${secondsSince(startMs)} s`);
  };
  if (live) draw();
  const timer = setInterval(draw, live ? LIVE_REPEAT_MS : QUIET_REPEAT_MS);
  return (ended) => {
    clearInterval(timer);
    if (live) process.stderr.write('\r\x1b[2K');
    say(`  ${ended === 'done' ? 'ok' : '!!'} ${label}  ${secondsSince(startMs)} s`);
  };
}
