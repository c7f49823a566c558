/**
 * Asks the vehicle for the parameters that hurt most, and names those that will.
 * Enters: what the vehicle tells. Leaves: read requests, notices HALO-711 and HALO-712.
 * Never: a setting, or the same notice twice for the same value.
 */
import type { HaloError } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import { HURTING_PARAMETERS, hurtOf, ParameterReader, type Permitted } from '../vehicle/index.js';
import type { Moment, Parts } from './parts.js';

export class ParameterCheck {
  readonly #parts: Parts;
  readonly #tell: (trouble: HaloError) => void;
  readonly #permitted: Permitted;
  readonly #reader: ParameterReader;
  readonly #told = new Map<string, string>();
  #done = false;

  constructor(parts: Parts, targetSystem: number, tell: (trouble: HaloError) => void) {
    this.#parts = parts;
    this.#tell = tell;
    this.#permitted = { altitudeMaxM: altitudeMaxM(parts) };
    this.#reader = new ParameterReader(targetSystem, HURTING_PARAMETERS);
  }

  /** After a reboot or a lost link somebody may have set them. */
  restart(): void {
    this.#reader.restart();
    this.#done = false;
  }

  step({ nowUs, heard }: Moment): void {
    if (this.#done) return;
    for (const message of this.#reader.step(nowUs, heard)) this.#parts.link.sendService(message);
    if (!this.#reader.settled) return;
    this.#done = true;
    for (const name of HURTING_PARAMETERS) this.#judge(name);
  }

  #judge(name: string): void {
    const trouble = this.#troubleOf(name);
    const text = trouble?.message ?? '';
    if (this.#told.get(name) === text) return;
    this.#told.set(name, text);
    if (trouble !== undefined) this.#tell(trouble);
  }

  #troubleOf(name: string): HaloError | undefined {
    const reading = this.#reader.readings.get(name);
    if (reading?.state !== 'told') {
      const why = reading?.state === 'absent' ? 'has no' : 'does not tell';
      return haloError('HALO-712', `The vehicle ${why} ${name}.`, name);
    }
    const hurt = hurtOf(name, reading.value, this.#permitted);
    return hurt && { ...haloError('HALO-711', hurt.message, name), remedy: hurt.remedy };
  }
}

/** The highest place that any kind of the catalog may lead to, metres above home. */
function altitudeMaxM({ catalog }: Parts): number | undefined {
  const limits = Object.values(catalog.kinds).map((kind) => kind.limits?.altitudeMaxM);
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
