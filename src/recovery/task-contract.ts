/**
 * Reads the task contract K that an operator wrote. Enters: YAML or JSON, as a path or as text.
 * Leaves: a TaskContract with its digest, or an error at `file:line:column`.
 * Never: a contract that contradicts itself, nor anything from an agent.
 */
import {
  fail,
  ok,
  taskContractSchema,
  type Catalog,
  type Result,
  type TaskContract,
} from '../contract/index.js';
import { digestOf, haloError, parseYamlWith, readTextFile } from '../platform/index.js';
import { beyondCatalog, contradictionIn, unknownEvidence } from './contract-checks.js';

/** Errors: HALO-701 (cannot be read), 702 (not YAML), 703 (schema), 704 (contradiction). */
export function loadTaskContract(
  path: string,
  catalog?: Catalog,
  mapped?: ReadonlySet<string>,
): Result<TaskContract> {
  const text = readTextFile(path);
  return text.ok ? parseTaskContract(text.value, path, catalog, mapped) : text;
}

/**
 * @param fileName only for messages.
 * @param catalog when given, every obligation must be one that the catalog can bring about.
 * @param mapped fields of the evidence map; when given, evidence that nothing fills is refused.
 */
export function parseTaskContract(
  text: string,
  fileName: string,
  catalog?: Catalog,
  mapped?: ReadonlySet<string>,
): Result<TaskContract> {
  const parsed = parseYamlWith(taskContractSchema, text, fileName, { unfit: 'HALO-703' });
  if (!parsed.ok) return parsed;
  const { value, lineOf } = parsed.value;
  const found =
    contradictionIn(value) ??
    (catalog && beyondCatalog(value, catalog)) ??
    (mapped && unknownEvidence(value, mapped));
  if (found !== undefined) return fail(haloError('HALO-704', found.message, lineOf(found.path)));
  return ok({ ...value, digest: digestOf(value) });
}
