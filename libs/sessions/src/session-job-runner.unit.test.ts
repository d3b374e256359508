import { openMemoryStore } from '@longhaul/store-sqlite';
import { expect, it } from 'vitest';
import { SESSION_JOB } from './session-job.js';
import { createSessionJobRunner } from './session-job-runner.js';
import { runningJob } from './session-value-names.js';

it('ends a session job when three workers in a row have died while they ran it, so that it can be started again', async () => {
  const errors: unknown[] = [];
  const { sessionState: state, sessionNotifications: notifications, close } = openMemoryStore({ onError: (error) => errors.push(error) });
  let runs = 0;
  const job = { name: 'deadly', everyMs: 100, run: () => void (runs += 1) };
  const features = { sessionJob: (name: string) => (name === job.name ? job : undefined) };
  const { [SESSION_JOB]: run } = createSessionJobRunner({
    features,
    state,
    notifications,
    clock: () => 1_000,
    onError: (error) => errors.push(error),
  });
  const delivery = { sessionId: 'session', name: job.name, runId: 'run' };
  await state.set('session', runningJob(job.name), 'run');

  expect(await run?.(delivery, 2)).toEqual({ againAt: 1_100 });
  expect(await run?.(delivery, 3)).toEqual({});
  expect(runs).toBe(1);
  expect(await state.get('session', runningJob(job.name))).toBeUndefined();
  expect(errors.map(String)).toEqual([
    'RangeError: The session job "deadly" is ended: 3 workers have died one after the other while they ran it.',
  ]);
  await close();
});
