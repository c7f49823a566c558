/**
 * What a viewer's parameter panel shows. Enters: EngineState and the names asked for. Leaves:
 * names and values. Never: something that could be set.
 */
import type { EngineState } from '../contract/index.js';

export interface ParameterValue {
  readonly name: string;
  readonly value: string | number;
  readonly type?: 'float64';
}

const float = (name: string, value: number): ParameterValue => ({ name, value, type: 'float64' });

/** All of them for an empty list, as the protocol says; unknown names are left out. */
export function parameterValues(state: EngineState, names: readonly string[]): ParameterValue[] {
  const all: ParameterValue[] = [
    { name: 'halo.task', value: state.task.task },
    { name: 'halo.run_id', value: state.task.runId },
    float('halo.boot_epoch', state.dispatch.bootEpoch),
    float('halo.generation', state.task.generation),
    float('halo.vehicle_system_id', state.vehicle.systemId),
    float('halo.budget_attempts_left', state.task.budgetAttemptsLeft),
  ];
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
