/** The Crazyradio's driver and link, over a dongle that is simulated at its USB transfers. */
import { describe, expect, it } from 'vitest';
import { Crazyflie, SimulatedDongle } from '../../../sim/crazyflie/index.js';
import {
  Crazyradio,
  decodeCrtp,
  encodeCrtp,
  parseRadioUri,
  PORT,
  RadioLink,
  type CrtpPacket,
  type RadioUsb,
} from '../../../src/link/index.js';
import { seededRandom } from '../../../src/platform/index.js';

const URI = 'radio://0/80/2M/E7E7E7E701';

function uriOf(text: string) {
  const uri = parseRadioUri(text);
  if (!uri.ok) throw new Error(uri.error.message);
  return uri.value;
}

async function radioOver(usb: RadioUsb): Promise<Crazyradio> {
  const radio = await Crazyradio.open(usb);
  if (!radio.ok) throw new Error(radio.error.message);
  return radio.value;
}

async function rig(uri = URI, seed = 7) {
  const vehicle = new Crazyflie({ model: '2.1', protocol: 12, positioning: 'deck' });
  const dongle = new SimulatedDongle({
    vehicle,
    channel: 80,
    rate: 2,
    address: [0xe7, 0xe7, 0xe7, 0xe7, 0x01],
    random: seededRandom(seed),
  });
  const clock = { nowUs: 0 };
  const radio = await radioOver(dongle);
  const link = new RadioLink({ radio, uri: uriOf(uri), nowUs: () => clock.nowUs });
  const heard: CrtpPacket[] = [];
  link.onBytes((bytes) => heard.push(...[decodeCrtp(bytes) ?? []].flat()));
  /** So many exchanges of 2 ms. */
  const exchange = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i += 1) {
      clock.nowUs += 2000;
      vehicle.step(clock.nowUs);
      await link.exchange();
    }
  };
  return { vehicle, dongle, link, heard, clock, exchange };
}

const echo = (...data: readonly number[]): Uint8Array =>
  encodeCrtp({ port: PORT.link, channel: 0, data: Uint8Array.from(data) });

describe('a radio URI', () => {
  it('names dongle, channel, rate and address', () => {
    const { dongle, channel, rate, address } = uriOf('radio://0/80/2M/E7E7E7E701');
    expect([dongle, channel, rate, [...address]]).toEqual([
      '0',
      80,
      '2M',
      [0xe7, 0xe7, 0xe7, 0xe7, 1],
    ]);
    expect(uriOf('radio://4c60e0e0e0/125/250K/0000000001').dongle).toBe('4C60E0E0E0');
  });

  it.each([
    'radio://0/80/2M',
    'radio://0/126/2M/E7E7E7E7E7',
    'radio://0/80/3M/E7E7E7E7E7',
    'radio://0/80/2M/E7E7',
    'udp://:1',
    'radio:///80/2M/E7E7E7E7E7',
  ])('that is not complete is refused: %s', (text) => {
    expect(parseRadioUri(text)).toMatchObject({ ok: false, error: { code: 'HALO-502' } });
  });
});

describe('the link', () => {
  it('turns safelink on, then carries packets both ways', async () => {
    const { link, heard, exchange } = await rig();
    expect(link.send(echo(1))).toMatchObject({ ok: false, code: 'HALO-508' });
    await exchange(1);
    expect(link.safe).toBe(true);
    expect(link.send(echo(1, 2, 3))).toEqual({ ok: true });
    await exchange(3);
    expect(heard).toMatchObject([{ port: PORT.link, channel: 0, data: Uint8Array.of(1, 2, 3) }]);
    expect(link.statistics).toMatchObject({
      lost: 0,
      lossFraction: 0,
      qualityFraction: 1,
      uplinkRssiDbm: -48,
    });
  });

  it('takes one packet at a time: a second is refused, not queued', async () => {
    const { link, exchange } = await rig();
    await exchange(1);
    link.send(echo(1));
    expect(link.send(echo(2))).toMatchObject({ ok: false, code: 'HALO-507' });
    await exchange(1);
    expect(link.send(echo(3))).toEqual({ ok: true });
  });

  it.each([1, 2, 3])('loses and repeats nothing on bad air (seed %i)', async (seed) => {
    const { dongle, link, heard, exchange } = await rig(URI, seed);
    await exchange(1);
    dongle.loss = { packet: 0.5, ack: 0.4 };
    const sent: number[] = [];
    for (let i = 0; i < 300; i += 1) {
      if (link.send(echo(i & 0xff, i >> 8)).ok) sent.push(i);
      await exchange(1);
    }
    dongle.loss = { packet: 0, ack: 0 };
    await exchange(60);
    const echoed = heard.map(({ data }) => (data[0] ?? 0) | ((data[1] ?? 0) << 8));
    expect(sent.length).toBeGreaterThan(100);
    expect(echoed).toEqual(sent);
    expect(link.statistics.lost).toBeGreaterThan(10);
    expect(link.stats.sendErrors).toBe(0);
  });

  it('puts a null packet in the place of one that became too old on the way', async () => {
    const { vehicle, dongle, link, exchange } = await rig();
    await exchange(1);
    link.send(encodeCrtp({ port: PORT.supervisor, channel: 1, data: Uint8Array.of(3) }));
    dongle.loss = { packet: 1, ack: 0 };
    await exchange(90);
    vehicle.step(1_000_000);
    expect((vehicle.truth().bits >> 6) & 1).toBe(0);
    await exchange(60);
    dongle.loss = { packet: 0, ack: 0 };
    await exchange(10);
    expect((vehicle.truth().bits >> 6) & 1).toBe(0);
    expect(link.stats.sendErrors).toBe(1);
  });

  it('is lost after a hundred packets without an answer, and says so', async () => {
    const { dongle, link } = await rig();
    await link.exchange();
    dongle.loss = { packet: 1, ack: 0 };
    expect(await link.run()).toMatchObject({ code: 'HALO-508' });
    expect(link.statistics).toMatchObject({ lost: 100, lossFraction: 1, qualityFraction: 0 });
  });

  it('finds nobody at another address, and says so after ten tries', async () => {
    const { link } = await rig('radio://0/80/2M/E7E7E7E702');
    expect(await link.run()).toMatchObject({ code: 'HALO-508' });
    expect(link.statistics.sent).toBe(10);
  });

  it('ends when the dongle is pulled out, with a remedy', async () => {
    const { dongle, link } = await rig();
    await link.exchange();
    dongle.unplugged = true;
    expect(await link.run()).toMatchObject({
      code: 'HALO-507',
      remedy: expect.stringContaining('Plug') as string,
    });
  });

  it('refuses a dongle whose firmware is too old for addresses', async () => {
    const { dongle } = await rig();
    const old: RadioUsb = Object.assign(Object.create(dongle) as SimulatedDongle, {
      deviceVersion: 0x0003,
    });
    expect(await Crazyradio.open(old)).toMatchObject({ ok: false, error: { code: 'HALO-503' } });
  });
});

describe('on the USB', () => {
  class Recorder implements RadioUsb {
    readonly deviceVersion = 0x0504;
    readonly serialNumber = 'X';
    readonly transfers: string[] = [];
    answer: Promise<Uint8Array> = Promise.resolve(Uint8Array.of(0x11, 0xf3, 0x01, 0x30));

    async control(request: number, value: number, data: Uint8Array): Promise<void> {
      this.transfers.push(
        `${request.toString(16)} ${value.toString(16)} ${Buffer.from(data).toString('hex')}`.trim(),
      );
      await Promise.resolve();
    }
    async bulkOut(bytes: Uint8Array): Promise<void> {
      this.transfers.push(`out ${Buffer.from(bytes).toString('hex')}`);
      await Promise.resolve();
    }
    bulkIn(): Promise<Uint8Array> {
      return this.answer;
    }
    async close(): Promise<void> {
      await Promise.resolve();
    }
  }

  it('the settings are those of Bitcraze’s driver, and only what changes is sent again', async () => {
    const usb = new Recorder();
    const radio = await radioOver(usb);
    const first = uriOf(URI);
    const ack = await radio.exchange(first, Uint8Array.of(0xff));
    expect(usb.transfers).toEqual([
      '20 0',
      '4 3',
      '6 3',
      '5 a0',
      '10 1',
      '3 2',
      '1 50',
      '2 0 e7e7e7e701',
      'out ff',
    ]);
    expect(ack).toMatchObject({
      ok: true,
      value: { acked: true, retries: 1, payload: Uint8Array.of(0xf3, 1, 0x30) },
    });
    usb.transfers.length = 0;
    await radio.exchange(first, Uint8Array.of(0xff));
    await radio.exchange(uriOf('radio://0/80/2M/E7E7E7E702'), Uint8Array.of(0xff));
    expect(usb.transfers).toEqual(['out ff', '2 0 e7e7e7e702', 'out ff']);
  });

  it('a transfer that never ends is given up after a second', async () => {
    const usb = new Recorder();
    const radio = await radioOver(usb);
    usb.answer = new Promise(() => undefined);
    expect(await radio.exchange(uriOf(URI), Uint8Array.of(0xff))).toMatchObject({
      ok: false,
      error: { code: 'HALO-507' },
    });
  });
});
