import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { type HeardQueue, UnheardJobs } from './unheard-jobs.js';

/** A queue with one job that its worker has not heard of. */
function unheard(answer: Promise<void> = Promise.resolve()) {
  const calls = { asked: 0, released: 0 };
  const queue: HeardQueue = {
    locks: {
      heldBy: async (token) => {
        calls.asked += 1;
        await answer;
        return [{ jobId: 'job', token: `${token}:0` }];
      },
      release: async (locks) => (calls.released += locks.length),
    },
    isRunning: () => false,
    deliverReleased: async () => undefined,
  };
  return { queue, calls };
}

it('are found after each break, also while the master of another queue is away, and there when it is back', async () => {
  const connection = new EventEmitter();
  const back = Promise.withResolvers<void>();
  const [here, away] = [unheard(), unheard(back.promise)];
  const queues = () => [away.queue, here.queue];
  const jobs = new UnheardJobs({ redis: connection, queues, workerToken: 'worker', onError: () => undefined });
  onTestFinished(() => jobs.stop());
  connection.emit('-node');
  await waitUntil(() => here.calls.released === 1, { description: 'the first break is looked at' });
  connection.emit('-node');
  await waitUntil(() => here.calls.released === 2, { description: 'the second break is looked at' });
  expect(away.calls).toEqual({ asked: 1, released: 0 });
  back.resolve();
  await waitUntil(() => away.calls.released === 2, { description: 'the master that is back is looked at, for both breaks' });
});
