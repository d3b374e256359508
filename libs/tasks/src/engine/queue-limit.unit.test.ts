import { beforeEach, describe, expect, it } from 'vitest';
import type { QueueDepth } from '../ports/task-load.js';
import { QueueLimit } from './queue-limit.js';

const EMPTY: QueueDepth = { waiting: 0, setAside: 0, delayed: 0, running: 0 };

describe('a queue with a limit of 3', () => {
  let now = 0;
  let depth: QueueDepth;
  let readings = 0;
  let limit: QueueLimit;
  beforeEach(() => {
    now = 0;
    readings = 0;
    depth = EMPTY;
    const queue = async (): Promise<QueueDepth> => {
      readings += 1;
      return depth;
    };
    limit = new QueueLimit({ load: { queue }, most: 3, now: () => now });
  });

  const taken = async (count: number): Promise<number> => {
    let taken = 0;
    for (let asked = 0; asked < count; asked++) {
      try {
        await limit.requireRoom();
        taken += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'QUEUE_FULL', message: expect.stringContaining('3, LONGHAUL_MAX_QUEUED') as string });
      }
    }
    return taken;
  };

  it('takes as many as it has room for, in one reading', async () => {
    depth = { ...EMPTY, waiting: 1, running: 50, delayed: 50 };
    expect(await taken(4)).toBe(2);
    expect(readings).toBe(1);
  });

  it('counts those that are set aside, because they wait as well', async () => {
    depth = { ...EMPTY, waiting: 1, setAside: 2 };
    expect(await taken(1)).toBe(0);
  });

  it('looks again before it refuses for what was created here, and so keeps up with fast workers', async () => {
    expect(await taken(3)).toBe(3);
    now = 21;
    expect(await taken(3)).toBe(3);
    expect(readings).toBe(2);
  });

  it('looks again after a second', async () => {
    expect(await taken(1)).toBe(1);
    depth = { ...EMPTY, waiting: 3 };
    now = 1_001;
    expect(await taken(1)).toBe(0);
  });

  it('is asked once for all that come at the same time', async () => {
    await Promise.all([limit.requireRoom(), limit.requireRoom(), limit.requireRoom()]);
    expect(readings).toBe(1);
  });
});

it('without a limit nobody reads the queue', async () => {
  const queue = (): Promise<QueueDepth> => Promise.reject(new Error('read'));
  await expect(new QueueLimit({ load: { queue }, most: undefined }).requireRoom()).resolves.toBeUndefined();
});
