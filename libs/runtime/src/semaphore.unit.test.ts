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
});
