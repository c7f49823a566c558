/**
 * Findings with the remedy of the table, and places inside a response as messages name them.
 * Enters: a rule, a code, one sentence, details. Leaves: Finding, text.
 * Never: a code without its remedy, or a stranger's characters on an operator's screen.
 */
import { CODES, type Code, type Finding } from '../contract/index.js';

export type FindingDetail = Partial<Omit<Finding, 'rule' | 'code' | 'message'>>;

/** `detail.remedy` replaces the remedy of the table where the case at hand allows a closer one. */
export const finding = (
  rule: string,
  code: Code,
  message: string,
  detail: FindingDetail = {},
): Finding => ({ rule, code, message, remedy: CODES[code].remedy, ...detail });

/** A name longer than this is not read by anybody; the position in the text says the rest. */
const SHOWN_MAX = 64;

/** Quoted, cut to 64 characters, everything beyond printable ASCII as `\uXXXX`. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
  return JSON.stringify(cut).replace(
    /[^ -~]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `components[2].params["odd key"]`; `$` is the document itself. */
export function jsonPathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z_]\w{0,63}$/.test(String(part))) text += `.${String(part)}`;
    else text += `[${shown(String(part))}]`;
  }
  return text === '' ? '$' : text.replace(/^\./, '');
}
