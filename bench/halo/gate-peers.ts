/**
 * The conditions of the gate in the languages of two policy engines: for each dependency its age
 * on both sides and its floor, the four bound epochs, deadline and frames of the lease.
 * Enters: nothing. Leaves: subjects that say yes. Never: a condition that the gate does not check.
 */
import { createRequire } from 'node:module';
import { assert } from '../../src/platform/index.js';
import type { Subject } from '../measure.js';

const DEPENDENCIES = 16;
const EPOCHS = ['vehicle', 'estimator', 'link', 'mode'] as const;

/** Cedar has whole numbers only: ages in ms, values in hundredths. */
const request = (): Record<string, number> => ({
  ...Object.fromEntries(Array.from({ length: DEPENDENCIES }, (_, i) => [`age${i}`, 100])),
  ...Object.fromEntries(Array.from({ length: DEPENDENCIES }, (_, i) => [`value${i}`, 50 + i])),
  ...Object.fromEntries(
    EPOCHS.flatMap((e) => [
      [`${e}Live`, 3],
      [`${e}Bound`, 3],
    ]),
  ),
  nowMs: 100_000,
  deadlineMs: 160_000,
  drawn: 3,
  allowed: 2000,
});

const conditions = (of: string): string =>
  [
    ...Array.from({ length: DEPENDENCIES }, (_, i) => [
      `${of}.age${i} <= 1000`,
      `${of}.age${i} >= -50`,
      `${of}.value${i} >= 10`,
    ]).flat(),
    ...EPOCHS.map((e) => `${of}.${e}Live == ${of}.${e}Bound`),
    `${of}.nowMs <= ${of}.deadlineMs`,
    `${of}.drawn < ${of}.allowed`,
  ].join(' && ');

/** The part of the peers that is used here; they are not installed where types are checked. */
interface Cedar {
  preparsePolicySet(id: string, policies: object): { readonly type: string };
  statefulIsAuthorized(call: object): {
    readonly type: string;
    readonly response?: { readonly decision: string };
  };
}
interface Casbin {
  newModelFromString(text: string): object;
  newEnforcer(model: object): Promise<{ enforceSync(request: object): boolean }>;
}

const load = createRequire(import.meta.url);

export function cedarSubject(): Subject {
  const cedar = load('@cedar-policy/cedar-wasm/nodejs') as Cedar;
  const policy = `permit(principal, action, resource) when { ${conditions('context')} };`;
  const parsed = cedar.preparsePolicySet('gate', { staticPolicies: { gate: policy } });
  assert(parsed.type === 'success', 'the policy is understood');
  const call = {
    principal: { type: 'Agent', id: 'a' },
    action: { type: 'Action', id: 'dispatch' },
    resource: { type: 'Vehicle', id: '1' },
    context: request(),
    preparsedPolicySetId: 'gate',
    entities: [],
  };
  return {
    name: 'cedar',
    run: () => {
      const answer = cedar.statefulIsAuthorized(call);
      assert(answer.response?.decision === 'allow', 'the request is permitted');
      return answer;
    },
  };
}

export async function casbinSubject(): Promise<Subject> {
  const casbin = load('casbin') as Casbin;
  const model = casbin.newModelFromString(
    [
      '[request_definition]',
      'r = frame',
      '[policy_definition]',
      'p = frame',
      '[policy_effect]',
      'e = some(where (p.eft == allow))',
      '[matchers]',
      `m = ${conditions('r.frame')}`,
    ].join('\n'),
  );
  const enforcer = await casbin.newEnforcer(model);
  const frame = request();
  return {
    name: 'casbin',
    run: () => {
      const answer = enforcer.enforceSync(frame);
      assert(answer, 'the request is permitted');
      return answer;
    },
  };
}
