import { expect, it } from 'vitest';
import { KeyedSemaphore } from './keyed-semaphore.js';

it('as many of an account are let in as may be, also when others wait, and the next ones when those have left', async () => {
  const semaphore = new KeyedSemaphore(2);
  const inside: string[] = [];
  const enter = async (name: string, account = 'one'): Promise<() => void> => {
    const leave = await semaphore.enter(account);
    inside.push(name);
    return leave;
  };
  const [first, second, third] = [enter('first'), enter('second'), enter('third')];
  const other = enter('other', 'another');
  await Promise.all([first, second, other]);
  expect(inside).toEqual(['first', 'second', 'other']);
  (await first)();
  (await third)();
  (await second)();
  expect(inside).toEqual(['first', 'second', 'other', 'third']);
  await Promise.all([enter('fourth'), enter('fifth')]);
  expect(inside).toHaveLength(6);
});
