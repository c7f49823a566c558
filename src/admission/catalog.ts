/**
 * Loads the trusted catalog. Enters: a YAML file that an operator keeps, or its text.
 * Leaves: a Catalog with its digest. Never: a catalog that says what cannot be, or something
 * that would never be checked.
 */
import { catalogSchema, fail, ok, type Catalog, type Result } from '../contract/index.js';
import {
  digestOf,
  haloError,
  parseYamlWith,
  readTextFile,
  yamlPathText,
} from '../platform/index.js';
import { contradictions } from './catalog-checks.js';

/** Errors: HALO-701, 702, 705, 706, each at `file:line:column`. */
export function loadCatalog(path: string): Result<Catalog> {
  const text = readTextFile(path);
  return text.ok ? parseCatalog(text.value, path) : text;
}

/** As {@link loadCatalog}, for text; `fileName` is only for messages. */
export function parseCatalog(text: string, fileName: string): Result<Catalog> {
  const parsed = parseYamlWith(catalogSchema, text, fileName, { unfit: 'HALO-705' });
  if (!parsed.ok) return parsed;
  const { value, lineOf } = parsed.value;
  const [first, ...more] = contradictions(value);
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    const message = `${yamlPathText(first.path)}: ${first.message}${others}`;
    return fail(haloError('HALO-706', message, lineOf(first.path)));
  }
  return ok({ ...value, digest: digestOf(value) });
}
