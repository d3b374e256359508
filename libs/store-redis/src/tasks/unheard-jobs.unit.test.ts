import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { UnheardJobs } from './unheard-jobs.js';

it('are found after each break, also after one while they are looked for', async () => {
  const connection = new EventEmitter();
  const back = Promise.withResolvers<void>();
  const calls = { asked: 0, released: 0, delivered: 0 };
  const jobs = new UnheardJobs({
    redis: connection,
    locks: {
      heldBy: async (token) => {
        calls.asked += 1;
        await back.promise;
        return ['unheard', 'runs'].map((jobId) => ({ jobId, token: `${token}:0` }));
      },
      release: async (locks) => (calls.released += locks.length),
    },
    workerToken: 'worker',
    isRunning: (jobId) => jobId === 'runs',
    onReleased: async () => void (calls.delivered += 1),
    onError: () => undefined,
  });
  onTestFinished(() => jobs.stop());
  connection.emit('-node');
  connection.emit('close');
  expect(calls).toEqual({ asked: 1, released: 0, delivered: 0 });
  back.resolve();
  await waitUntil(() => calls.delivered === 2, { description: 'both breaks are looked at' });
  expect(calls).toEqual({ asked: 2, released: 2, delivered: 2 });
});
