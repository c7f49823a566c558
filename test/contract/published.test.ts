/**
 * What is published must be what the code says. To write the files anew instead of comparing:
 * `HALO_UPDATE_SCHEMAS=1 npx vitest run test/contract`
 */
import { format } from 'prettier';
import { expect, it } from 'vitest';
import { CODES, jsonSchemaOf, SCHEMA_NAMES } from '../../src/contract/index.js';
import { expectInStep } from '../in-step.js';

const FAMILIES: Readonly<Record<string, string>> = {
  1: 'Intake: the text of a response, before anything is believed',
  2: 'Admission: one component against the catalog and live evidence',
  3: 'The life of a response, its obligations and the session',
  4: 'The gate: why a frame did not leave, or a lease ended',
  5: 'Link and vehicle',
  6: 'Ledger and receipts',
  7: 'What the operator configures',
  8: 'The machine around the bridge',
};

function codesPage(): string {
  const lines = [
    '# Codes',
    '',
    'Every refusal and every error carries one of these codes, a sentence about the case at hand,',
    'and the remedy below. A code keeps its meaning for ever: one that is no longer used',
    'is retired, not given to something else. This page is made from `src/contract/codes.ts`.',
  ];
  let family = '';
  for (const [code, { title, remedy }] of Object.entries(CODES)) {
    const digit = code.charAt('HALO-'.length);
    if (digit !== family) {
      family = digit;
      lines.push('', `## ${digit}xx · ${FAMILIES[digit] ?? ''}`, '');
      lines.push('| code | what it says | what to do |', '|---|---|---|');
    }
    const words = (text: string): string => text.replaceAll('__', '\\_\\_');
    lines.push(
      `| <a id="${code.toLowerCase()}"></a>${code} | ${words(title)} | ${words(remedy)} |`,
    );
  }
  return `${lines.join('\n')}\n`;
}

it.each(SCHEMA_NAMES)('publishes the schema that the bridge parses a %s with', async (name) => {
  const text = JSON.stringify(jsonSchemaOf(name));
  expectInStep(
    `docs/schemas/${name}.json`,
    await format(text, { parser: 'json', printWidth: 100 }),
  );
});

it('documents every code with its remedy', () => {
  expect(Object.keys(CODES).map((code) => FAMILIES[code.charAt(5)])).not.toContain(undefined);
  expectInStep('docs/reference/codes.md', codesPage());
});

it('lists the codes in rising order, so that the page reads like an index', () => {
  expect(Object.keys(CODES)).toEqual(Object.keys(CODES).toSorted());
});
