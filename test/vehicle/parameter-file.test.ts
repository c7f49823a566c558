import { describe, expect, it } from 'vitest';
import { parseParameterFile } from '../../src/vehicle/index.js';

const LINE = '1\t1\tCOM_OBL_RC_ACT\t4\t6';

describe('a parameter file', () => {
  it('is read with the reason and the default of each line, over several lines of comment', () => {
    const text = [
      '# purpose: A bridge alone.',
      '# reason: Land,',
      '#   not return.',
      '# default: 0',
      LINE,
      '',
      '1\t1\tCOM_OF_LOSS_T\t0.3\t9',
      '',
    ];
    expect(parseParameterFile(text.join('\n'), 'a.params')).toEqual({
      ok: true,
      value: {
        fileName: 'a.params',
        purpose: 'A bridge alone.',
        vehicleId: 1,
        parameters: [
          {
            name: 'COM_OBL_RC_ACT',
            type: 'int32',
            value: 4,
            reason: 'Land, not return.',
            px4Default: 0,
            line: 5,
          },
          { name: 'COM_OF_LOSS_T', type: 'float', value: Math.fround(0.3), line: 7 },
        ],
      },
    });
  });

  it('as a ground station saves it needs no reasons, and may end its lines the other way', () => {
    const text = `# Onboard parameters for Vehicle 1\r\n#\r\n# Vehicle-Id Component-Id Name Value Type\r\n${LINE}\r\n`;
    expect(parseParameterFile(text, 'saved.params')).toMatchObject({
      ok: true,
      value: { parameters: [{ value: 4 }] },
    });
  });

  it.each([
    ['spaces for tabs', LINE.replaceAll('\t', ' '), '1 fields'],
    ['a field too many', `${LINE}\t`, '6 fields'],
    ['vehicle 0', LINE.replace('1', '0'), 'outside 1..255'],
    ['another component', '1\t154\tMNT_MODE\t0\t6', 'not the autopilot'],
    ['a name in small letters', LINE.replace('COM', 'com'), 'no name of a parameter'],
    ['a name of 17 letters', '1\t1\tABCDEFGHIJKLMNOPQ\t0\t6', 'no name of a parameter'],
    ['an unknown type', LINE.replace(/6$/, '2'), 'neither 6 nor 9'],
    ['a fraction for an integer', LINE.replace('\t4\t', '\t4.5\t'), 'no int32'],
    ['an integer beyond 32 bits', LINE.replace('\t4\t', '\t2147483648\t'), 'no int32'],
    ['a float beyond 32 bits', '1\t1\tRTL_RETURN_ALT\t1e39\t9', 'no float'],
    ['not a number', '1\t1\tRTL_RETURN_ALT\tnan\t9', 'no float'],
    ['an empty value', '1\t1\tRTL_RETURN_ALT\t\t9', 'no float'],
    ['a parameter twice', `${LINE}\n${LINE}`, 'in line 1 already'],
    ['two vehicles', `${LINE}\n2\t1\tRTL_TYPE\t0\t6`, 'two vehicles'],
    ['a default that is none', `${LINE}\n# default: none`, 'no number'],
    ['nothing at all', '# purpose: Nothing.', 'sets no parameter'],
  ])('with %s is refused at its line', (_, text, why) => {
    const parsed = parseParameterFile(text, 'bad.params');
    expect(parsed).toMatchObject({
      ok: false,
      error: { code: 'HALO-710', path: `bad.params:${text.split('\n').length}` },
    });
    expect(parsed.ok ? '' : parsed.error.message).toContain(why);
  });
});
