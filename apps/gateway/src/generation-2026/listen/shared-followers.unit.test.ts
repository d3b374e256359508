import { TaskError, type TaskService, type TaskSnapshot, type TaskView } from '@longhaul/tasks';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SharedFollowers } from './shared-followers.js';

const view = (version: number): TaskView => ({ taskId: 'a', version }) as unknown as TaskView;

/** Tasks that the test changes. */
function controlled() {
  const followed: AbortSignal[] = [];
  let next = Promise.withResolvers<TaskSnapshot | Error>();
  const tasks: Pick<TaskService, 'follow'> = {
    async *follow(from, signal) {
      followed.push(signal);
      yield from;
      for (;;) {
        const snapshot = await next.promise;
        if (snapshot instanceof Error) throw snapshot;
        yield snapshot;
        if (snapshot.outcome !== undefined) return;
      }
    },
  };
  return {
    followers: new SharedFollowers({ tasks, logger: pino({ level: 'silent' }) }),
    followed,
    async change(to: TaskSnapshot | Error) {
      await new Promise(setImmediate);
      next.resolve(to);
      next = Promise.withResolvers();
      await new Promise(setImmediate);
    },
  };
}

const versions = (): { readonly seen: number[]; readonly listener: (snapshot: TaskSnapshot) => void } => {
  const seen: number[] = [];
  return { seen, listener: ({ view: { version } }) => void seen.push(version) };
};

describe('the followers of a task', () => {
  it('share one loop, and one that comes later gets the present state first', async () => {
    const { followers, followed, change } = controlled();
    const [first, second] = [versions(), versions()];
    followers.follow({ view: view(1) }, first.listener);
    await change({ view: view(2) });
    followers.follow({ view: view(1) }, second.listener);
    await change({ view: view(3) });

    expect(followed).toHaveLength(1);
    expect(first.seen.slice(-2)).toEqual([2, 3]);
    expect(second.seen).toEqual([2, 3]);
  });

  it('end the loop when the last one leaves, and begin another one when they come back', async () => {
    const { followers, followed } = controlled();
    const stops = [followers.follow({ view: view(1) }, () => undefined), followers.follow({ view: view(1) }, () => undefined)];
    stops[0]?.();
    expect(followed[0]?.aborted).toBe(false);
    stops[1]?.();
    expect(followed[0]?.aborted).toBe(true);
    followers.follow({ view: view(1) }, () => undefined);
    expect(followed).toHaveLength(2);
  });

  it('get the end of the task, and nothing is left of the loop', async () => {
    const { followers, followed, change } = controlled();
    const { seen, listener } = versions();
    followers.follow({ view: view(1) }, listener);
    await change({ view: view(2), outcome: { kind: 'cancelled', by: '' } });
    expect(seen.at(-1)).toBe(2);
    expect(followed[0]?.aborted).toBe(true);
  });

  it('are left alone when the task is gone', async () => {
    const { followers, followed, change } = controlled();
    followers.follow({ view: view(1) }, () => undefined);
    await change(new TaskError('TASK_NOT_FOUND'));
    expect(followed[0]?.aborted).toBe(true);
  });
});
