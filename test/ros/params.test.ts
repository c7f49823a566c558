import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { PARAMETERS } from '../../src/ros/index.js';
import { parametersFor, readParameterLayers } from '../../src/ros/params-args.js';

const folder = mkdtempSync(join(tmpdir(), 'halo-params-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(text: string): string {
  files += 1;
  const path = join(folder, `${files}.yaml`);
  writeFileSync(path, text);
  return path;
}

function read(fullName: string, ...rosArgs: string[]) {
  const layers = readParameterLayers(['node', 'main.js', 'bridge', '--ros-args', ...rosArgs]);
  return layers.ok ? parametersFor(fullName, layers.value) : layers;
}

function valuesOf(fullName: string, ...rosArgs: string[]): Record<string, unknown> {
  const own = read(fullName, ...rosArgs);
  if (!own.ok) throw new Error(own.error.message);
  return Object.fromEntries(own.value.values);
}

describe('parameters from files and arguments', () => {
  it('the file that is shipped names every parameter with its default', () => {
    const shipped = fileURLToPath(new URL('../../launch/params/bridge.yaml', import.meta.url));
    const defaults = Object.entries(PARAMETERS).map(([name, { value }]) => [name, value]);
    expect(valuesOf('/halo_bridge', '--params-file', shipped)).toEqual(
      Object.fromEntries(defaults),
    );
  });

  const text = `
/**:
  ros__parameters:
    tick_hz: 20
    other_node_setting: 1
halo_bridge:
  ros__parameters:
    system_id: 2
/uav1/halo_bridge:
  ros__parameters:
    system_id: 3
uav2:
  halo_bridge:
    ros__parameters:
      system_id: 4
/uav*/halo_bridge:
  ros__parameters:
    state_hz: 2
`;

  it.each([
    ['/halo_bridge', { tick_hz: 20, system_id: 2 }],
    ['/uav1/halo_bridge', { tick_hz: 20, system_id: 3, state_hz: 2 }],
    ['/uav2/halo_bridge', { tick_hz: 20, system_id: 4, state_hz: 2 }],
    ['/other', { tick_hz: 20 }],
  ])('for %s the parts that name it are read, also with a namespace', (name, expected) => {
    expect(valuesOf(name, '--params-file', file(text))).toEqual(expected);
  });

  it('what comes later wins, whether file or argument', () => {
    const path = file('/**: {ros__parameters: {tick_hz: 30}}');
    const name = '/halo_bridge';
    expect(valuesOf(name, '-p', 'tick_hz:=40', '--params-file', path)).toEqual({ tick_hz: 30 });
    expect(valuesOf(name, '--params-file', path, '-p', 'tick_hz:=40')).toEqual({ tick_hz: 40 });
    expect(valuesOf(name, '-p', 'other:tick_hz:=40')).toEqual({});
    expect(valuesOf(name, '-p', 'halo_bridge:connection_url:=udpin://127.0.0.1:14541')).toEqual({
      connection_url: 'udpin://127.0.0.1:14541',
    });
  });

  it('arguments outside of --ros-args are none of its business', () => {
    const layers = readParameterLayers(['-p', 'tick_hz:=1', '--ros-args', '--', '-p', 'x:=1']);
    expect(layers).toEqual({ ok: true, value: [] });
  });

  it.each([
    ['tick_hz: 500', /tick_hz is 500; permitted is 10 to 200/],
    ['tick_hz: 20.5', /a whole number is expected/],
    ['tick_hz: "50"', /a whole number is expected/],
    ['state_hz: .inf', /a number is expected/],
    ['foxglove_enabled: 1', /true or false is expected/],
    ['contract_path: 5', /a text is expected/],
    ['tick_rate: 50', /tick_rate does not exist; there are .*tick_hz/],
  ])('%s for our node is refused with its line', (line, message) => {
    const path = file(`halo_bridge:\n  ros__parameters:\n    ${line}\n`);
    const own = read('/halo_bridge', '--params-file', path);
    expect(own).toMatchObject({ ok: false, error: { code: 'HALO-708', path: `${path}:3:5` } });
    expect(own.ok ? '' : own.error.message).toMatch(message);
  });

  it('an argument without a value, a missing file and a broken file are refused', () => {
    expect(read('/halo_bridge', '-p', 'tick_hz')).toMatchObject({ error: { code: 'HALO-708' } });
    expect(read('/halo_bridge', '--params-file', join(folder, 'none.yaml'))).toMatchObject({
      error: { code: 'HALO-701' },
    });
    expect(read('/halo_bridge', '--params-file', file('a: [1'))).toMatchObject({
      error: { code: 'HALO-702' },
    });
  });
});
