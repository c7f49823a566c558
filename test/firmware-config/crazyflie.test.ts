import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readYaml } from '../../src/platform/index.js';

const FILE = path.resolve(
  import.meta.dirname,
  '../../firmware-config/crazyflie/stock-firmware.yaml',
);
const value = z.union([z.string(), z.number()]);
const schema = z.strictObject({
  firmware: z.string(),
  settings: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z]+\.\w+$/),
      value,
      default: value,
      reason: z.string().min(40).regex(/\.$/),
    }),
  ),
});

function settings(): ReadonlyMap<string, string | number> {
  const read = readYaml(FILE);
  if (!read.ok) throw new Error(read.error.message);
  return new Map(
    schema.parse(read.value.value).settings.map((setting) => [setting.name, setting.value]),
  );
}

describe('the configuration of a Crazyflie', () => {
  it('gives each setting with the reason and the value of a new one', () => {
    expect(settings().size).toBeGreaterThan(5);
  });

  it('names a radio that exists: a channel of 0 to 125, a rate, five bytes that are not every newcomer’s', () => {
    const found = settings();
    expect(found.get('radio.channel')).toBeLessThanOrEqual(125);
    expect(['250K', '1M', '2M']).toContain(found.get('radio.dataRate'));
    expect(found.get('radio.address')).toMatch(/^[0-9A-F]{10}$/);
    expect(found.get('radio.address')).not.toBe('E7E7E7E7E7');
  });
});
