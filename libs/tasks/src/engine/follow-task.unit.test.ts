import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { followTask } from './follow-task.js';
import { OutageRetry } from './outage-retry.js';
import type { TaskSnapshot } from './task-service.js';

it('hands out the end of a task also when the store has lost some of its events, so that it ends in an earlier version', async () => {
  const engine = new Engine(async () => 'done');
  const { events } = engine.store;
  const [view] = await events.views([await engine.create()]);
  if (view === undefined) throw new Error('There is no task.');
  await engine.settle();
  const outageRetry = new OutageRetry(async () => undefined);
  const snapshots: TaskSnapshot[] = [];
  const from = { view: { ...view, version: view.version + 9 } };
  for await (const snapshot of followTask({ events, outageRetry }, from, AbortSignal.timeout(3_000))) snapshots.push(snapshot);
  expect(snapshots.map(({ outcome }) => outcome?.kind)).toEqual([undefined, 'result']);
});
