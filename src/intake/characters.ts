/**
 * Characters that make a person and a machine read two different texts.
 * Enters: UTF-16 code units. Leaves: yes or no. Never: an opinion on languages or scripts.
 */

export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
export const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

export const codePoint = (high: number, low: number): number =>
  0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);

/**
 * Controls steer a terminal (tab and line feed are text), bidirectional embeddings and isolates
 * show digits in another order than they are read, line separators and byte order marks break
 * lines of a log. Joiners and direction marks are needed to write Arabic, Hebrew or Persian.
 */
export const isHidden = (unit: number): boolean =>
  (unit < 0x20 && unit !== 0x09 && unit !== 0x0a) ||
  (unit >= 0x7f && unit <= 0x9f) ||
  (unit >= 0x2028 && unit <= 0x202e) ||
  (unit >= 0x2066 && unit <= 0x2069) ||
  unit === 0xfeff;

/** U+E0000 to U+E007F: invisible copies of ASCII that a model reads and a person does not. */
export const isTag = (high: number, low: number): boolean => high === 0xdb40 && low <= 0xdc7f;
