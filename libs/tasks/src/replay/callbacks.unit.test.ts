/** Tests what a tool does for signals but wait: the addresses that it makes, and the signals that it sends. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Engine } from '../../../../test/support/engine.js';
import { thrown } from '../../../../test/support/family.js';
import type { TaskContext } from './task-context.js';

const publicUrl = 'https://tasks.example.com/mcp';
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

describe('an address for signals', () => {
  it('is the same in each replay, and its wait gets what was sent', async () => {
    const urls: string[] = [];
    const engine = new Engine(async (context) => {
      const { url, wait } = await context.callback('paid', {
        schema: z.object({ amount: z.int() }),
        signedWith: SECRET,
        timeoutMs: 60_000,
      });
      urls.push(url);
      return await wait();
    });
    const id = await engine.create();
    await engine.deliver(engine.worker('one', { publicUrl }));
    await engine.signal(id, 'paid', { amount: 5 });
    await engine.deliver(engine.worker('two', { publicUrl }));
    expect(await engine.value(id)).toEqual({ amount: 5 });
    expect(urls[0]).toMatch(/^https:\/\/tasks\.example\.com\/signals\/./);
    expect(urls).toEqual([urls[0], urls[0]]);
  });

  it.each<[string, (context: TaskContext) => Promise<unknown>, string]>([
    ['works for longer than a year', (context) => context.callback('a', { timeoutMs: 400 * 24 * 3_600_000 }), 'INVALID_KEY'],
    ['has a secret that is none', (context) => context.callback('a', { signedWith: 'hush' }), 'INVALID_KEY'],
    ['is asked for without a public URL', (context) => context.callback('a'), 'NO_PUBLIC_URL'],
  ])('is refused where it %s', async (_, make, code) => {
    const engine = new Engine((context) => thrown(make(context)));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toMatchObject({ code });
  });
});

describe('a signal of a task', () => {
  it('is taken once by the other one, also over a replay', async () => {
    const engine: Engine = new Engine(async (context, { to }) => {
      if (to === undefined) return [await context.waitFor('news'), await context.waitFor('news', { timeoutMs: 500 })];
      await context.sendSignal(to as string, 'news', { of: 'a' });
      await context.sleep('on', 100);
      return 'sent';
    });
    const receiver = await engine.create();
    await engine.deliver();
    const sender = await engine.create({ arguments: { to: receiver } });
    await engine.settle();
    expect(await engine.value(sender)).toBe('sent');
    expect(await engine.value(receiver)).toEqual([{ of: 'a' }, null]);
  });

  it('is refused where its value is no JSON', async () => {
    const engine = new Engine((context) => thrown(context.sendSignal('other', 'a', { f: (() => 1) as never })));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toMatchObject({ code: 'NOT_SERIALIZABLE' });
  });
});
