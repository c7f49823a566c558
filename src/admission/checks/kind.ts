/**
 * The kind is one of the catalog. Enters: a candidate. Leaves: HALO-201.
 * Never: a guess at what was meant.
 */
import { finding, shown } from '../../platform/index.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkKind: Check = ({ catalog }, { component, entry, place }) => {
  if (entry !== undefined) return NO_FINDINGS;
  const message = `The catalog has no kind ${shown(component.kind)}.`;
  const limit = Object.keys(catalog.kinds).join(', ');
  return [
    finding('kind', 'HALO-201', message, {
      observed: component.kind,
      limit,
      path: `${place}.kind`,
    }),
  ];
};
