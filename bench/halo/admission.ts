/**
 * Admission against JSON.parse of the same bytes, and per component as responses grow.
 * Enters: nothing. Leaves: ratios. Never: a response that is refused: refusals cost otherwise.
 */
import { admit, type AdmissionInput } from '../../src/admission/index.js';
import { COMPONENTS_MAX } from '../../src/contract/index.js';
import { parseResponse } from '../../src/intake/index.js';
import { assert } from '../../src/platform/index.js';
import { compare, type Subject } from '../measure.js';
import { compared, ratioOf, type Ratio } from '../ratio.js';
import { CONTRACT, inputOf, planOf, responseText } from './world.js';

const USUAL = 32;
const HUGE = 100_000;
/** A batch is 100,000 components already: fewer batches say as much. */
const HUGE_BATCHES = 25;

export function admissionRatios(): readonly Ratio[] {
  return [againstJsonParse(), coreAtScale(), wholeAtLimit()];
}

/** From bytes to verdict: UTF-8, strict JSON, schema, digests, all checks, closure. */
const admission = (bytes: Uint8Array): Subject => ({
  name: 'bytes to verdict',
  run: () => {
    const parsed = parseResponse(bytes);
    assert(parsed.ok, 'the response of the bench is read');
    const admitted = admit(inputOf(parsed.value));
    assert(admitted.verdict.outcome === 'admitted', 'the plan of the bench is admitted');
    return admitted;
  },
});

function againstJsonParse(): Ratio {
  const text = responseText(planOf(USUAL));
  const bytes = Buffer.from(text);
  // From text that is decoded already: as little as the peer can be asked to do.
  const parse = { name: 'JSON.parse', run: (): unknown => JSON.parse(text) };
  const size = `${USUAL} components, ${bytes.length} bytes`;
  return compared(
    'admission-32 / JSON.parse',
    ['<=', 3.7],
    [`bytes to verdict, ${size}`, 'JSON.parse of the same text'],
    compare(admission(bytes), parse, { batches: 500 }),
  );
}

/** Each batch has the same number of components: in one response, or in many of the usual size. */
function perComponent(
  name: string,
  count: number,
  of: (n: number) => Subject,
  batches: number,
): Ratio {
  const inOne = of(count);
  const inMany = of(USUAL);
  const calls = [1, Math.round(count / USUAL)] as const;
  const { a, b, ratio, lowest, highest } = compare(inOne, inMany, { batches, calls });
  const share = USUAL / count;
  return ratioOf(
    `${name} per component, ${count} / ${USUAL}`,
    ratio * share,
    ['<=', 2],
    [
      [`${inOne.name}, ${count} components`, a],
      [`${inMany.name}, ${USUAL} components`, b],
    ],
    [lowest * share, highest * share],
  );
}

/** Beyond what intake lets in: the core of admission alone, on a response built in memory. */
const coreAtScale = (): Ratio =>
  perComponent(
    'admission core',
    HUGE,
    (count) => {
      const input = inputOf(builtResponse(count));
      return { name: 'admit() alone', run: () => admit(input) };
    },
    HUGE_BATCHES,
  );

function builtResponse(count: number): AdmissionInput['parsed'] {
  const components = planOf(count);
  return {
    response: { protocol: 'halo/1', id: 'r-1', task: CONTRACT.task, components },
    digest: '0'.repeat(64),
    componentDigests: new Map(components.map(({ id }) => [id, '0'.repeat(64)])),
  };
}

/** The most components that a response may have, from bytes to verdict. */
const wholeAtLimit = (): Ratio =>
  perComponent(
    'admission',
    COMPONENTS_MAX,
    (count) => admission(Buffer.from(responseText(planOf(count)))),
    200,
  );
