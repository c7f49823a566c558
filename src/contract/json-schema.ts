/**
 * The published law for those who write responses, contracts and catalogs, in JSON Schema 2020-12.
 * Enters: nothing. Leaves: the documents that docs/schemas/ holds. Never: a second description:
 * each is made from the schema that the bridge itself parses with.
 */
import { z } from 'zod';
import { catalogSchema } from './catalog.js';
import { paramSchemas } from './params.js';
import { responseSchema } from './response.js';
import { taskContractSchema } from './task-contract.js';

/** Rises when a document that was valid before may be refused: old and new ids differ then. */
export const SCHEMA_VERSION = 1;

export const SCHEMA_NAMES = ['response', 'params', 'contract', 'catalog'] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

const SOURCES: Readonly<Record<SchemaName, { title: string; schema: z.ZodType }>> = {
  response: { title: 'A response, as an agent submits it', schema: responseSchema },
  params: {
    title: 'Parameters of the built-in effects and utterances, by the name in "does"',
    schema: z.strictObject(paramSchemas).partial(),
  },
  contract: { title: 'A task contract, as an operator writes it', schema: taskContractSchema },
  catalog: { title: 'A catalog of component kinds', schema: catalogSchema },
};

/** What a writer may put in: fields with a default are optional here. */
export function jsonSchemaOf(name: SchemaName): object {
  const { title, schema } = SOURCES[name];
  const { $schema, ...body } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, $id: `urn:halo-bridge:schema:${name}:${SCHEMA_VERSION}`, title, ...body };
}
