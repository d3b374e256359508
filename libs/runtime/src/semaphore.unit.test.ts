import { describe, expect, it } from 'vitest';

import { Semaphore } from './semaphore.js';

describe('a semaphore', () => {
  it('lets the next one in when somebody leaves, in the order of coming', async () => {
    const semaphore = new Semaphore(2);
    const inside: string[] = [];
    const enter = async (name: string) => {
      const leave = await semaphore.enter();
      inside.push(name);
      return leave;
    };
    const [leaveFirst] = await Promise.all([enter('first'), enter('second')]);
    const third = enter('third');
    const fourth = enter('fourth');
    expect(inside).toEqual(['first', 'second']);

    leaveFirst();
    leaveFirst(); // Does not count twice.
    const leaveThird = await third;
    expect(inside).toEqual(['first', 'second', 'third']);
    leaveThird();
    await fourth;
    expect(inside.at(-1)).toBe('fourth');
  });

  it('lets a caller stop waiting', async () => {
    const semaphore = new Semaphore(1);
    const leave = await semaphore.enter();
    const abort = new AbortController();
    const given = semaphore.enter(abort.signal);
    const next = semaphore.enter();
    expect([semaphore.isFull, semaphore.waiting]).toEqual([true, 2]);
    abort.abort(new Error('not needed'));
    await expect(given).rejects.toThrow('not needed');
    expect(semaphore.waiting).toBe(1);
    leave();
    await next;
    await expect(semaphore.enter(abort.signal)).rejects.toThrow('not needed');
  });
});
