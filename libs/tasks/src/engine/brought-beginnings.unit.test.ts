/** Tests that a worker trusts what a job brings of its task only until the claim. */
import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { TaskId } from '../domain/task-id.js';
import type { JobDelivery } from '../ports/task-queue.js';
import type { HistoryPage } from '../ports/event-store.js';
import { wrappedStore } from '../ports/wrapped-store.js';

/** An engine whose store counts reads of histories, and the delivery of a new task with its beginning. */
async function begun(run: ConstructorParameters<typeof Engine>[0]) {
  let reads = 0;
  const engine = new Engine(run, (store) => {
    const readPage: typeof store.events.readPage = (...args) => {
      reads += 1;
      return store.events.readPage(...args);
    };
    return { ...store, events: wrappedStore(store.events, { readPage }) };
  });
  const taskId = await engine.create();
  const job = engine.jobs.shift()?.job;
  if (job === undefined) throw new Error('There is no job.');
  const beginning: HistoryPage = { events: await engine.events(taskId), version: 1, isLast: true, historyBytes: 300 };
  reads = 0;
  const delivery: JobDelivery = { job, redelivered: false, beginning, signal: new AbortController().signal };
  return { engine, taskId, delivery, reads: () => reads };
}

it('reads nothing of a task that its job brings', async () => {
  const { engine, taskId, delivery, reads } = await begun(async () => 'done');
  expect(await engine.worker().handle(delivery)).toEqual({});
  expect(reads()).toBe(0);
  expect(await engine.value(taskId)).toBe('done');
});

it('runs no step of a task that was cancelled before its job came', async () => {
  let steps = 0;
  const { engine, taskId, delivery, reads } = await begun((context) => context.step('work', () => void (steps += 1)));
  await engine.cancel(taskId);
  expect(await engine.worker().handle(delivery)).toEqual({});
  expect(steps).toBe(0);
  expect(reads()).toBeGreaterThan(0);
  expect(await engine.story(taskId)).toEqual(['TaskCreated', 'TaskCancelled']);
});

it('takes up what has happened since then, such as a signal', async () => {
  const { engine, taskId, delivery } = await begun((context) => context.waitFor('go'));
  await engine.signal(taskId, 'go', 'now');
  await engine.worker().handle(delivery);
  await engine.settle();
  expect(await engine.value(taskId)).toBe('now');
});

it.each<[string, Partial<JobDelivery>]>([
  ['again', { redelivered: true }],
  ['in place of a lost one', { recovered: true }],
  ['as a trial', { redelivered: true, trial: 'alone' }],
])('reads the task of a job that comes %s', async (_, more) => {
  const { engine, taskId, delivery, reads } = await begun(async () => 'done');
  await engine.worker().handle({ ...delivery, ...more });
  expect(reads()).toBeGreaterThan(0);
  expect(await engine.value(taskId)).toBe('done');
});

it('runs nothing of a task that is not in the store any more', async () => {
  let steps = 0;
  const { engine, delivery } = await begun((context) => context.step('work', () => void (steps += 1)));
  const gone = { ...delivery, job: { ...delivery.job, taskId: crypto.randomUUID() as TaskId } };
  // The queue delivers it again.
  await expect(engine.worker().handle(gone)).rejects.toThrow(/lost its latest writes/);
  expect(await engine.worker().handle({ ...gone, redelivered: true })).toEqual({});
  expect(steps).toBe(0);
});
