/** Tests forks on real workers; one worker is killed. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject, TaskEvent, TaskId } from '@longhaul/tasks';
import { DEFAULT_OWNER_LIMITS, type ForkOptions, forkTask, newTaskId, OutageRetry, TaskWriter } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { illegalities } from '../../../support/legal-history.js';
import { scaled } from '../../../support/scale.js';
import { SupervisedWorkers } from '../../../support/supervised-workers.js';
import { waitUntil } from '../../../support/wait-until.js';
import type { LedgerLine } from './features.ts';

const FEATURES = fileURLToPath(new URL('./features.ts', import.meta.url));
const MAX_MS = 60_000;
/** Other tests run at the same time as the short form. */
const SEEN_WITHIN_MS = scaled(8_000, 2_000);

let workers: SupervisedWorkers;
let gate: string;

beforeEach(async () => {
  workers = await SupervisedWorkers.start({ workers: 2, features: FEATURES });
  gate = join(workers.folder, 'gate');
}, MAX_MS);
afterEach(() => workers.close());

async function fork(origin: TaskId, options: ForkOptions): Promise<TaskId> {
  const { store } = workers;
  const onError = (error: unknown): void => expect.unreachable(String(error));
  const writer = new TaskWriter({ store, clock: Date.now, onError });
  const outageRetry = new OutageRetry(() => store.ping());
  return (await forkTask({ store, writer, outageRetry, newTaskId, limitsOf: () => DEFAULT_OWNER_LIMITS }, origin, options)).taskId;
}

/** A task that has ended. */
async function ended(args: JsonObject): Promise<TaskId> {
  writeFileSync(gate, '');
  const origin = await workers.create('order', { gate, ...args });
  await workers.outcome(origin, MAX_MS);
  rmSync(gate);
  return origin;
}

const stepsOf = async (taskId: TaskId) =>
  (await workers.noted<LedgerLine>()).filter((line) => line.taskId === taskId).map(({ step, idempotencyKey }) => [step, idempotencyKey]);

async function started(taskId: TaskId, step: string): Promise<TaskEvent> {
  const find = async () => (await workers.events(taskId)).find(({ type, data }) => type === 'StepStarted' && data.key === step);
  return waitUntil(find, { timeoutMs: MAX_MS, description: `step "${step}" is seen to run` });
}

const text = (value: string) => ({ kind: 'result', result: { content: [{ type: 'text', text: value }] } });

describe('a fork whose worker is killed', () => {
  it(
    'goes on at another one, runs nothing that it has of its origin, and gives outside systems the same keys',
    { timeout: 3 * MAX_MS },
    async () => {
      const origin = await ended({ item: 'tea' });
      const id = await fork(origin, { from: { step: 'pass the gate' } });
      const event = await started(id, 'pass the gate');
      expect(event.type === 'StepStarted' ? event.at - event.data.startedAt : undefined).toBeLessThan(SEEN_WITHIN_MS);
      const pass = (await workers.events(id)).find(({ type }) => type === 'PassStarted');
      const holder = workers.processes.find(({ pid }) => pass?.type === 'PassStarted' && pass.data.workerId.includes(`-${pid}-`));
      process.kill(holder?.pid ?? 0, 'SIGKILL');
      await waitUntil(async () => (await stepsOf(id)).length === 2, { timeoutMs: MAX_MS, description: 'the step runs again' });
      writeFileSync(gate, '');
      expect(await workers.outcome(id, MAX_MS)).toMatchObject(text('reserve tea, pass the gate tea, charge tea'));
      expect(await stepsOf(id)).toEqual([
        ['pass the gate', `${origin}:pass the gate`],
        ['pass the gate', `${origin}:pass the gate`],
        ['charge', `${origin}:charge`],
      ]);
      expect(illegalities((await workers.events(id)).map((each) => ({ event: each })))).toEqual([]);
    },
  );
});

describe('a fork with other arguments', () => {
  it('has keys of its own', { timeout: 2 * MAX_MS }, async () => {
    const origin = await ended({ item: 'tea' });
    writeFileSync(gate, '');
    const id = await fork(origin, { from: { step: 'pass the gate' }, arguments: { gate, item: 'coffee' } });
    expect(await workers.outcome(id, MAX_MS)).toMatchObject(text('reserve tea, pass the gate coffee, charge coffee'));
    expect(await stepsOf(id)).toEqual([
      ['pass the gate', `${id}:pass the gate`],
      ['charge', `${id}:charge`],
    ]);
  });
});
