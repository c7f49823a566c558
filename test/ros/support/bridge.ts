/** Starts the node on a {@link TestEngine}. */
import { ok } from '../../../src/contract/index.js';
import type { TopicMap } from '../../../src/evidence/index.js';
import { systemClock } from '../../../src/platform/index.js';
import {
  loadRcl,
  startBridgeNode,
  type BridgeParams,
  type Rcl,
  type RunningNode,
} from '../../../src/ros/index.js';
import type { TestEngine } from './engine.js';

export async function rcl(): Promise<Rcl> {
  const loaded = await loadRcl();
  if (!loaded.ok) throw new Error(loaded.error.message);
  return loaded.value;
}

export interface Started {
  readonly node: RunningNode;
  readonly engine: TestEngine;
  readonly params: BridgeParams | undefined;
  readonly closed: () => number;
}

export async function startOn(
  engine: TestEngine,
  argv: readonly string[] = [],
  topicMap: TopicMap = { entries: [], agreements: [] },
): Promise<Started> {
  let params: BridgeParams | undefined;
  let closed = 0;
  const started = await startBridgeNode({
    rcl: await rcl(),
    argv,
    clock: systemClock,
    createBridge: (given) => {
      params = given;
      return Promise.resolve(
        ok({
          engine,
          topicMap,
          close: () => {
            closed += 1;
            return Promise.resolve();
          },
        }),
      );
    },
  });
  if (!started.ok) throw new Error(`${started.error.code} ${started.error.message}`);
  return { node: started.value, engine, params, closed: () => closed };
}
