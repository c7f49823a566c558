/** What we ship as an example or a catalog must fit the schemas that we publish. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { catalogSchema, responseSchema, taskContractSchema } from '../../src/contract/index.js';

const ROOT = new URL('../../', import.meta.url);

const SCHEMA_OF: readonly { readonly file: RegExp; readonly schema: z.ZodType }[] = [
  { file: /^examples\/.*(response|candidate)[^/]*\.json$/, schema: responseSchema },
  { file: /^examples\/.*contract[^/]*\.yaml$/, schema: taskContractSchema },
  { file: /^catalog\/[^/]+\.yaml$/, schema: catalogSchema },
];

const files = ['examples', 'catalog'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => SCHEMA_OF.some(({ file }) => file.test(path))),
);

it('finds a response, a contract and a catalog', () => {
  const lonely = SCHEMA_OF.filter(({ file }) => !files.some((path) => file.test(path)));
  expect(lonely.map(({ file }) => file.source)).toEqual([]);
});

it.each(files)('%s fits its schema', (path) => {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const document: unknown = path.endsWith('.json') ? JSON.parse(text) : parse(text);
  const schema = SCHEMA_OF.find(({ file }) => file.test(path))?.schema;
  expect(schema?.safeParse(document).error?.issues ?? []).toEqual([]);
});
