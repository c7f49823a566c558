/**
 * The start-up check of the vehicle's parameters: what will hurt is named, and nothing is set.
 */
import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../src/contract/index.js';
import { HURTING_PARAMETERS } from '../../src/vehicle/index.js';
import { Flight } from './flight.js';

type Notice = Extract<EngineEvent, { type: 'notice' }>;
const SAFE = { COM_OBL_RC_ACT: 4 };
const PARAM_VALUE = 22;

const notices = (flight: Flight): readonly Notice[] =>
  flight.events.flatMap((event) =>
    event.type === 'notice' && /^HALO-71[12]$/.test(event.error?.code ?? '') ? [event] : [],
  );
/** The parameters that were named, in order. */
const named = (flight: Flight): readonly string[] =>
  notices(flight).map((notice) => notice.error?.path ?? '');

describe('at the start the bridge looks at the five parameters that hurt most', () => {
  it('and has nothing to say where they are well', () => {
    const flight = new Flight({ parameters: SAFE }).ready();
    flight.seconds(20);
    expect(notices(flight)).toEqual([]);
  });

  it.each([
    ['COM_OBL_RC_ACT', 0, 'when the setpoints stop, the vehicle asks for sticks'],
    ['COM_OBL_RC_ACT', 7, 'stops the motors: it falls'],
    ['RTL_RETURN_ALT', 60, 'a return climbs to 60 m, and the catalog permits 30 m'],
    ['COM_OF_LOSS_T', 5, 'that long the vehicle flies on after the last setpoint'],
    ['COM_OF_LOSS_T', 0.1, '0.1 s: one hiccup of the machine ends OFFBOARD'],
    ['COM_RC_IN_MODE', 4, 'no stick can take the vehicle back'],
    ['NAV_DLL_ACT', 2, 'without a ground station the vehicle does not arm'],
  ])(
    '%s at %d: says what it will do, and sends nothing that could change it',
    (name, value, does) => {
      const flight = new Flight({ parameters: { ...SAFE, [name]: value } });
      flight.until('a notice', () => notices(flight).length > 0, 10);
      flight.seconds(5);
      expect(named(flight)).toEqual([name]);
      const [notice] = notices(flight);
      expect(notice?.level).toBe('warn');
      expect(notice?.message).toContain(`HALO-711 ${name} is ${value}`);
      expect(notice?.message).toContain(does);
      expect(notice?.error?.remedy).toMatch(/^(Set it|Without)/);
      // The wire lists every message that is not known to be harmless: no PARAM_SET is in it.
      expect(flight.wire.sent).toEqual([]);
    },
  );

  it('names all that hurt, each once, and not again for the same values after a reboot', () => {
    const parameters = {
      COM_OBL_RC_ACT: 3,
      RTL_RETURN_ALT: 31,
      COM_OF_LOSS_T: 3,
      COM_RC_IN_MODE: 0,
      NAV_DLL_ACT: 3,
    };
    const flight = new Flight({ parameters });
    flight.seconds(10);
    expect(named(flight)).toEqual(HURTING_PARAMETERS);
    flight.inject({ name: 'vehicle-reboot' });
    flight.seconds(20);
    expect(named(flight)).toEqual(HURTING_PARAMETERS);
  });

  it('says of each that it is not known when the vehicle does not tell, and looks again after a reboot', () => {
    const flight = new Flight({ parameters: { ...SAFE, RTL_RETURN_ALT: 60 } });
    flight.wire.deafTo.add(PARAM_VALUE);
    flight.seconds(25);
    expect(named(flight)).toEqual(HURTING_PARAMETERS);
    expect(notices(flight).every(({ error }) => error?.code === 'HALO-712')).toBe(true);
    flight.wire.deafTo.delete(PARAM_VALUE);
    flight.inject({ name: 'vehicle-reboot' });
    flight.seconds(20);
    expect(notices(flight).slice(HURTING_PARAMETERS.length)).toMatchObject([
      { error: { code: 'HALO-711', path: 'RTL_RETURN_ALT' } },
    ]);
  });
});
