import { openMemoryStore } from '@longhaul/store-sqlite';
import { afterEach, expect, it } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { TaskHistory } from '../testing/task-history.js';
import { PassGate } from './pass-gate.js';
import type { TaskStore } from '../ports/task-store.js';

const gates: PassGate[] = [];
afterEach(() => {
  for (const gate of gates.splice(0)) gate.stop();
});

/** A gate on a store that may be taken away, and a handler that it guards. */
async function gated() {
  const memory = openMemoryStore();
  const link: { isAway: boolean; queueAnswers?: Promise<void> } = { isAway: false };
  const present = async () => {
    if (link.isAway) throw new Error('The store is away.');
    return memory.pauses.present();
  };
  const pauses: TaskStore['pauses'] = {
    present,
    pause: (tool) => memory.pauses.pause(tool),
    resume: (tool) => memory.pauses.resume(tool),
    onChange: (listener) => memory.pauses.onChange(listener),
    putBack: async (limit) => {
      await link.queueAnswers;
      return memory.pauses.putBack(limit);
    },
  };
  const errors: unknown[] = [];
  let now = 1_000;
  const gate = new PassGate({ store: { ...memory, pauses }, clock: () => now++, onError: (error) => errors.push(error) });
  gates.push(gate);
  const history = new TaskHistory();
  await memory.events.append(history.create({ tool: 'research' }));
  const job = { taskId: history.taskId, pass: 1 };
  const released = Promise.withResolvers<object>();
  const handle = gate.guard(() => released.promise);
  const deliver = () => handle({ job, redelivered: false, signal: new AbortController().signal });
  return { memory, link, errors, gate, history, deliver, release: () => released.resolve({}) };
}

it('holds back what is paused when it starts, and what is paused later', async () => {
  const { memory, gate, deliver, release, history } = await gated();
  await memory.pauses.pause('research');
  await gate.start();
  expect(await deliver()).toEqual({ pausedBy: 'tool:research' });
  await memory.pauses.pause();
  await waitUntil(async () => 'pausedBy' in (await deliver()) && (await deliver()).pausedBy === 'all', { description: 'all is paused' });
  await memory.pauses.resume();
  await memory.pauses.resume('research');
  release();
  await waitUntil(async () => !('pausedBy' in (await deliver())), { description: 'nothing is' });
  // The job of a task that has ended blocks no other.
  await memory.pauses.pause('research');
  await waitUntil(async () => 'pausedBy' in (await deliver()), { description: 'it is paused again' });
  await memory.events.append(history.cancel());
  expect(await deliver()).toEqual({});
});

it('keeps what was paused while the store is away', async () => {
  const { memory, link, errors, gate, deliver } = await gated();
  await memory.pauses.pause();
  await gate.start();
  link.isAway = true;
  await memory.pauses.resume();
  await waitUntil(() => errors.length > 0, { description: 'it has looked in vain' });
  expect(await deliver()).toEqual({ pausedBy: 'all' });
});

it('hears of a pause while a queue lets the jobs wait that are to be put back', async () => {
  const { memory, link, gate, deliver, release } = await gated();
  release();
  const answer = Promise.withResolvers<void>();
  link.queueAnswers = answer.promise;
  await gate.start();
  await memory.pauses.pause();
  await waitUntil(async () => 'pausedBy' in (await deliver()), { description: 'all is paused' });
  answer.resolve();
});

it('knows what runs, the longest first', async () => {
  const { gate, deliver, release } = await gated();
  await gate.start();
  expect(gate.running).toEqual({ busy: 0, passes: [] });
  const deliveries = [deliver(), deliver()];
  await waitUntil(() => gate.running.busy === 2, { description: 'both run' });
  expect(gate.running.passes.map(({ since }) => since)).toEqual([1_000, 1_001]);
  release();
  await Promise.all(deliveries);
  expect(gate.running).toEqual({ busy: 0, passes: [] });
});
