/**
 * The variants that are compared: each is the bridge's own code with parts of it left out.
 * Enters: nothing. Leaves: what each leaves out. Never: code that only a baseline has.
 */
import type { CheckName } from '../../../src/gate/index.js';
import {
  CHECKS,
  type CheckName as AdmissionCheck,
  type Removable,
} from '../../../src/admission/testing.js';

export interface Variant {
  readonly name: VariantName;
  readonly what: string;
  /** One part that is not supported refuses the whole response. */
  readonly whole: boolean;
  readonly admissionWithout: ReadonlySet<Removable>;
  /** Undefined: every check of the gate. */
  readonly gateWithout: readonly CheckName[];
}

export type VariantName =
  | 'whole-response'
  | 'independent-filter'
  | 'halo-admission'
  | 'halo-full'
  | 'agentspec-global'
  | 'agentspec-scoped';

/** All that the gate asks at the last moment about world, prerequisites and binding. */
const FINAL: readonly CheckName[] = [
  'single-use',
  'epoch-fence',
  'payload-digest',
  'wire-digest',
  'prerequisites',
  'epochs',
  'support',
];

/** Rules know kinds, parameters, limits and state; plans, bases and authority they do not know. */
const NO_RULE: readonly Removable[] = [
  'closure',
  'scope',
  'generation',
  'hint',
  'prerequisites',
  'resources',
  'basis',
  'epochs',
];

const without = (names: readonly Removable[]): ReadonlySet<Removable> => new Set(names);

/** The name of each check of admission: a new one is not left out by oversight. */
export const ADMISSION_CHECKS = Object.keys(CHECKS) as readonly AdmissionCheck[]; // The names.

export const VARIANTS: readonly Variant[] = [
  {
    name: 'whole-response',
    what: 'all or nothing: one unsupported part refuses the response; no check after that',
    whole: true,
    admissionWithout: without([]),
    gateWithout: FINAL,
  },
  {
    name: 'independent-filter',
    what: 'each part on its own, without closure; no check after that',
    whole: false,
    admissionWithout: without(['closure']),
    gateWithout: FINAL,
  },
  {
    name: 'halo-admission',
    what: 'closure at admission; the gate does not look again before dispatch',
    whole: false,
    admissionWithout: without([]),
    gateWithout: FINAL,
  },
  {
    name: 'halo-full',
    what: 'closure at admission, and every check of the gate before each frame',
    whole: false,
    admissionWithout: without([]),
    gateWithout: [],
  },
  {
    name: 'agentspec-global',
    what: 'rules of kind, parameters, limits, state over the whole response, and before dispatch',
    whole: true,
    admissionWithout: without(NO_RULE),
    gateWithout: FINAL.filter((name) => name !== 'support'),
  },
  {
    name: 'agentspec-scoped',
    what: 'the same rules over each part alone, and before dispatch',
    whole: false,
    admissionWithout: without(NO_RULE),
    gateWithout: FINAL.filter((name) => name !== 'support'),
  },
];
