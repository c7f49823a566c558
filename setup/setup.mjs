// `npm run setup`: makes ready all that the project's commands need. Arguments: names of steps,
// default all.
// Never: writes to standard output.
import { ensure, failWith, STEPS } from './lib/steps.mjs';
import { EXIT, SetupError } from './lib/layout.mjs';
import { say } from './lib/show.mjs';

const names = process.argv.slice(2);
const known = STEPS.map((step) => step.name);
try {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new SetupError(
      `There is no step "${unknown}".`,
      `Steps: ${known.join(', ')}.`,
      EXIT.failed,
    );
  }
  await ensure(names.length > 0 ? names : known);
  say('Set-up is complete.');
} catch (error) {
  failWith(error);
}
