/** The door of the admission room: catalog, verdicts, live support, localized obligations. */
export { admit, type Admission, type AdmissionInput } from './admit.js';
export { loadCatalog, parseCatalog } from './catalog.js';
export type { Basis } from './checks/index.js';
export { evaluatePredicate, fieldOf } from './predicate.js';
export { reassess, type Reassessed, type Reassessment } from './reassess.js';
export { lossAction, supportFindings, type SupportQuestion } from './support.js';
export type {
  AdmittedComponent,
  DigestedResponse,
  ObligationDraft,
  Role,
  TypedComponent,
} from './types.js';
