import { describe, expect, it } from 'vitest';

import { Turnstile } from './turnstile.js';

describe('a turnstile', () => {
  it('lets the next one in when somebody leaves, in the order of coming', async () => {
    const turnstile = new Turnstile(2);
    const inside: string[] = [];
    const enter = async (name: string) => {
      const leave = await turnstile.enter();
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
