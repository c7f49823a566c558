import { describe, expect, it } from 'vitest';
import { readStrictJson } from '../../src/intake/strict-json.js';

/** What the reader says of a text: `CODE path @place`, or the value. */
const verdict = (text: string): unknown => {
  const read = readStrictJson(text);
  if (read.ok) return read.value;
  return read.error.map(({ code, path, message, remedy }) => {
    expect(remedy).not.toBe('');
    return `${code} ${path} @${/\(line (\d+), byte (\d+)\)\.$/.exec(message)?.slice(1).join(':')}`;
  });
};

describe('The strict reader', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', ['HALO-101 $ @1:0']],
    ['only space', ' \n ', ['HALO-101 $ @2:3']],
    ['a bare word', 'hello', ['HALO-101 $ @1:0']],
    ['an open object', '{"a":1', ['HALO-101 a @1:6']],
    ['an open string', '{"a":"b', ['HALO-101 a @1:7']],
    ['a trailing comma in an object', '{"a":1,}', ['HALO-101 $ @1:7']],
    ['a trailing comma in an array', '[1,]', ['HALO-101 [1] @1:3']],
    ['a missing colon', '{"a" 1}', ['HALO-101 a @1:5']],
    ['a key without quotes', '{a:1}', ['HALO-101 $ @1:1']],
    ['single quotes', "{'a':1}", ['HALO-101 $ @1:1']],
    ['a comment', '{} // done', ['HALO-101 $ @1:3']],
    ['trailing garbage', '{} {}', ['HALO-101 $ @1:3']],
    ['a fenced block', '```json\n{}\n```', ['HALO-101 $ @1:0']],
    ['a leading zero', '[01]', ['HALO-101 [0] @1:2']],
    ['a plus sign', '[+1]', ['HALO-101 [0] @1:1']],
    ['a bare fraction', '[.5]', ['HALO-101 [0] @1:1']],
    ['a fraction without digits', '[1.]', ['HALO-101 [0] @1:3']],
    ['an exponent without digits', '[1e]', ['HALO-101 [0] @1:3']],
    ['a hexadecimal number', '[0x10]', ['HALO-101 [0] @1:2']],
    ['a lone minus', '[-]', ['HALO-101 [0] @1:1']],
    ['undefined', '[undefined]', ['HALO-101 [0] @1:1']],
    ['an unknown escape', '["\\x41"]', ['HALO-101 [0] @1:2']],
    ['a short unicode escape', '["\\u12"]', ['HALO-101 [0] @1:2']],
    ['a form feed as space', '\f{}', ['HALO-101 $ @1:0']],
    ['a no-break space as space', '\u00a0{}', ['HALO-101 $ @1:0']],
    ['seventeen levels', '['.repeat(17) + ']'.repeat(17), [`HALO-103 ${'[0]'.repeat(16)} @1:16`]],
    ['a duplicate key', '{"x":1,"x":2}', ['HALO-104 x @1:7']],
    ['a duplicate key behind an escape', '{"x":1,"\\u0078":2}', ['HALO-104 x @1:7']],
    ['a duplicate key in depth', '{"a":[{"b":{"c":1,"c":1}}]}', ['HALO-104 a[0].b.c @1:18']],
    ['__proto__', '{"a":{"__proto__":{}}}', ['HALO-105 a.__proto__ @1:6']],
    ['__proto__ behind an escape', '{"\\u005f_proto__":1}', ['HALO-105 __proto__ @1:1']],
    ['constructor', '{"constructor":1}', ['HALO-105 constructor @1:1']],
    ['prototype', '{"prototype":1}', ['HALO-105 prototype @1:1']],
    ['NaN', '[NaN]', ['HALO-106 [0] @1:1']],
    ['Infinity', '{"a":Infinity}', ['HALO-106 a @1:5']],
    ['-Infinity', '[-Infinity]', ['HALO-106 [0] @1:1']],
    ['1e999', '{"a":1e999}', ['HALO-106 a @1:5']],
    ['-1e400', '[-1e400]', ['HALO-106 [0] @1:1']],
    ['an integer beyond 2^53', '[9007199254740993]', ['HALO-106 [0] @1:1']],
    ['2^53 itself', '[9007199254740992]', ['HALO-106 [0] @1:1']],
    ['the same with a fraction', '[9007199254740993.0]', ['HALO-106 [0] @1:1']],
    ['the same with an exponent', '[9007199254740993e0]', ['HALO-106 [0] @1:1']],
    ['a negative one', '[-9007199254740993]', ['HALO-106 [0] @1:1']],
    ['a number too small to be one', '[1e-400]', ['HALO-106 [0] @1:1']],
    ['a raw lone high surrogate', '["\ud800"]', ['HALO-107 [0] @1:2']],
    ['a raw lone low surrogate', '["a\udc00"]', ['HALO-107 [0] @1:3']],
    ['an escaped lone high surrogate', '["\\ud800"]', ['HALO-107 [0] @1:2']],
    ['an escaped lone low surrogate', '["\\udc00x"]', ['HALO-107 [0] @1:2']],
    ['two highs', '["\\ud83d\\ud83d\\ude00"]', ['HALO-107 [0] @1:2']],
    ['half raw and half escaped', '["\ud83d\\ude00"]', ['HALO-107 [0] @1:2', 'HALO-107 [0] @1:5']],
    ['a lone surrogate in a key', '{"\\ud800":1}', ['HALO-107 $ @1:2']],
    ['a raw control character', '["a\u0001b"]', ['HALO-107 [0] @1:3']],
    ['a raw line break', '["a\nb"]', ['HALO-107 [0] @1:3']],
    ['a raw tab', '["a\tb"]', ['HALO-107 [0] @1:3']],
    ['an escaped escape', '["\\u001b[2J"]', ['HALO-107 [0] @1:2']],
    ['a carriage return', '["a\\rb"]', ['HALO-107 [0] @1:3']],
    ['a C1 control', '["\u0085"]', ['HALO-107 [0] @1:2']],
    ['text shown right to left', '["\u202e1.5"]', ['HALO-107 [0] @1:2']],
    ['an isolate', '["\\u2066"]', ['HALO-107 [0] @1:2']],
    ['a line separator', '["\u2028"]', ['HALO-107 [0] @1:2']],
    ['a byte order mark inside', '["\ufeff"]', ['HALO-107 [0] @1:2']],
    ['invisible tag characters', '["\u{e0041}"]', ['HALO-107 [0] @1:2']],
  ])('refuses %s with code, path and place', (_name, text, expected) => {
    expect(verdict(text)).toEqual(expected);
  });

  it.each([
    '{}',
    ' [ ] ',
    '"text"',
    'null',
    '0',
    '-1.5e-3',
    '[1E+2, 0.1, 123456789012345, 9007199254740991, -9007199254740991]',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '["\\"\\\\\\/\\b\\u0041\\ud83d\\ude00 \u00e9 \u{1f600} \\n\\t \u200d \u200f"]'.replace(
      '\\b',
      '',
    ),
    '['.repeat(16) + ']'.repeat(16),
    '{"toString":1,"hasOwnProperty":2,"0":3,"":4}',
  ])('reads %s as JSON.parse does', (text) => {
    expect(verdict(text)).toEqual(JSON.parse(text));
  });

  it('takes -0, -0.0 and -0e5 as 0, at any depth', () => {
    const value = verdict('{"a":[-0,{"b":-0.0}],"c":-0e5,"d":-1,"e":null,"f":"-0"}');
    expect(value).toStrictEqual({ a: [0, { b: 0 }], c: 0, d: -1, e: null, f: '-0' });
  });

  it('names every trouble of a text, not only the first, with lines and UTF-8 bytes', () => {
    const text = '{"\u00e9": 1,\n "n": NaN,\n "x": {"x":1, "x":2},\n "__proto__": "\\ud800"}';
    expect(verdict(text)).toEqual([
      'HALO-106 n @2:16',
      'HALO-104 x.x @3:35',
      'HALO-105 __proto__ @4:44',
      'HALO-107 __proto__ @4:58',
    ]);
  });

  it('stops after 32 troubles, finds the 13th twin too, and shows no stranger’s text', () => {
    expect(verdict(`[${'NaN,'.repeat(100)}1]`)).toHaveLength(32);
    const keys = Array.from({ length: 20 }, (_, i) => `"k${i}":0`).join(',');
    expect(verdict(`{${keys},"k3":1,"k19":1}`)).toHaveLength(2);
    const read = readStrictJson('{"\u043e\u001b[2J":1,"\u043e\u001b[2J":2}');
    expect(
      !read.ok && read.error.every(({ message, path }) => /^[ -~]+$/.test(message + path)),
    ).toBe(true);
  });
});
