import { describe, expect, it } from 'vitest';
import { releaseJobs, type LockedQueue } from './release-jobs.js';

const never = new Promise<never>(() => undefined);
const away = Promise.reject(new Error('Connection is closed.'));
away.catch(() => undefined);

/** A queue in which the worker has one job, and what becomes of that. */
function queueWith(answers: { readonly heldBy?: Promise<never>; readonly release?: Promise<never> } = {}) {
  const calls = { released: 0, delivered: 0 };
  const queue: LockedQueue = {
    locks: {
      heldBy: async (token) => answers.heldBy ?? [{ jobId: 'job', token: `${token}:0` }],
      release: async (locks) => answers.release ?? (calls.released += locks.length),
    },
    deliverReleased: async () => void (calls.delivered += 1),
  };
  return { queue, calls };
}

const release = (queues: readonly LockedQueue[], isDead = async () => true): Promise<number | undefined> =>
  releaseJobs({ queues, lockToken: 'dead', isDead, answerMs: 20 });

describe('the jobs of a dead worker', () => {
  it('are released in all queues', async () => {
    const [first, second] = [queueWith(), queueWith()];
    expect(await release([first.queue, second.queue])).toBe(2);
    expect([first.calls, second.calls]).toEqual([
      { released: 1, delivered: 1 },
      { released: 1, delivered: 1 },
    ]);
  });

  it.each([
    ['does not answer', { heldBy: never }],
    ['stops to answer', { release: never }],
    ['is away', { heldBy: away }],
    ['goes away', { release: away }],
  ])('are released in the other queues while one %s', async (_title, answers) => {
    const other = queueWith();
    expect(await release([queueWith(answers).queue, other.queue])).toBe(1);
    expect(other.calls).toEqual({ released: 1, delivered: 1 });
  });

  it('are left until a queue answers', async () => {
    let asked = 0;
    const isDead = async (): Promise<boolean> => (asked += 1) > 0;
    expect(await release([queueWith({ heldBy: never }).queue, queueWith({ heldBy: away }).queue], isDead)).toBeUndefined();
    expect(asked).toBe(0);
  });

  it('stay its own when it is not dead', async () => {
    const { queue, calls } = queueWith();
    expect(await release([queue], async () => false)).toBeUndefined();
    expect(calls.released).toBe(0);
  });

  it('say what else is wrong', async () => {
    const broken = Promise.reject(new TypeError('x is undefined'));
    broken.catch(() => undefined);
    await expect(release([queueWith().queue, queueWith({ heldBy: broken }).queue])).rejects.toThrow('x is undefined');
  });
});
