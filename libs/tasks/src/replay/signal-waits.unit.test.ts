import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Engine, type Run } from '../../../../test/support/engine.js';
import { intercept } from '../../../../test/support/engine.js';

async function begun(run: Run): Promise<{ engine: Engine; id: Awaited<ReturnType<Engine['create']>> }> {
  const engine = new Engine(run);
  const id = await engine.create();
  await engine.deliver();
  return { engine, id };
}

describe('a wait for a signal', () => {
  it('ends with nothing when its time is over', async () => {
    const { engine, id } = await begun(async (context) => [await context.waitFor('a', { timeoutMs: 500 }), context.now()]);
    await engine.settle();
    expect(await engine.value(id)).toEqual([null, 1_500]);
    expect(await engine.story(id)).toContain('TimerFired');
  });

  it('leaves no job for the end of its time in the queue when it ends before, or its task does', async () => {
    const day = 86_400_000;
    const { engine, id } = await begun(async (context) => {
      await context.waitFor('a', { timeoutMs: day });
      await context.waitFor('b', { timeoutMs: 2 * day });
    });
    const jobs = () => engine.jobs.map(({ job: { pass }, dueAt }) => ({ pass, dueAt }));
    expect(jobs()).toEqual([{ pass: 2, dueAt: 1_000 + day }]);
    await engine.signal(id, 'a');
    expect(jobs()).toEqual([{ pass: 2, dueAt: 0 }]);
    await engine.deliver();
    expect(jobs()).toEqual([{ pass: 3, dueAt: 1_000 + 2 * day }]);
    await engine.cancel(id);
    expect(jobs()).toEqual([]);
    expect(engine.errors).toEqual([]);
  });

  it('that has timed out takes nothing from the next one', async () => {
    const { engine, id } = await begun(async (context) => {
      const first = await context.waitFor('a', { timeoutMs: 500 });
      return [first, await context.waitFor('a')];
    });
    await engine.settle();
    await engine.signal(id, 'a', 'late');
    await engine.settle();
    expect(await engine.value(id)).toEqual([null, 'late']);
  });

  it('that a signal has ended stays so in every replay, also after its time', async () => {
    const { engine, id } = await begun(async (context) => {
      const got = await context.waitFor('a', { timeoutMs: 500 });
      await context.sleep('long', 10_000);
      return got;
    });
    await engine.signal(id, 'a', 'in time');
    await engine.settle();
    expect(await engine.value(id)).toBe('in time');
    expect((await engine.events(id)).filter(({ type }) => type === 'TimerFired')).toHaveLength(1);
  });

  it.each([0, 500])('whose task is taken by another worker meanwhile ends once: %i ms', async (timeoutMs) => {
    const { engine, id } = await begun(async (context) => (await context.waitFor('a', { timeoutMs: 500 })) ?? 'timed out');
    const [job] = engine.jobs.splice(0);
    engine.now += timeoutMs;
    if (timeoutMs === 0) await engine.signal(id, 'a', 'signal');
    const again = job ?? engine.jobs[0];
    const jobs = [again, ...engine.jobs.splice(0)].flatMap((each) => (each === undefined ? [] : [each.job]));
    await Promise.all(jobs.flatMap((each) => [engine.redeliver(each, engine.worker('one')), engine.redeliver(each, engine.worker('two'))]));
    expect(await engine.value(id)).toBe(timeoutMs === 0 ? 'signal' : 'timed out');
    expect((await engine.story(id)).filter((type) => type === 'TimerFired' || type === 'SignalReceived')).toHaveLength(1);
  });

  it('that lost a race takes nothing from the next one of its name', async () => {
    const { engine, id } = await begun(async (context) => {
      const got: unknown[] = [];
      for (let n = 0; n < 3; n++) got.push(await Promise.race([context.waitFor('approve'), context.waitFor('reject')]));
      return got;
    });
    // The second one is taken by the wait that loses the first race.
    await engine.signal(id, 'approve', 'approve 1');
    await engine.signal(id, 'reject', 'reject 1');
    await engine.settle();
    await engine.signal(id, 'reject', 'reject 2');
    await engine.settle();
    expect(await engine.value(id)).toEqual(['approve 1', 'reject 1', 'reject 2']);
  });

  it('is for any of several names, one after the other', async () => {
    const { engine, id } = await begun(async (context) => {
      const first = await context.waitFor(['approve', 'reject']);
      await context.step('work', () => engine.signal(id, 'reject', 2));
      return [first, await context.waitFor(['approve', 'reject'], { timeoutMs: 100 }), await context.waitFor(['a'], { timeoutMs: 100 })];
    });
    await engine.signal(id, 'approve', 1);
    await engine.settle();
    expect(await engine.value(id)).toEqual([{ name: 'approve', value: 1 }, { name: 'reject', value: 2 }, null]);
  });

  it.each([[[]], [Array.from({ length: 17 }, (_, n) => `n${n}`)], [['$own']], [['']]])('has names that it may have: %j', async (names) => {
    const { engine, id } = await begun((context) => context.waitFor(names));
    expect(await engine.value(id)).toContain('TaskError');
  });

  it('that lost a race against a time takes nothing either', async () => {
    const { engine, id } = await begun(async (context) => {
      const first = await Promise.race([context.waitFor('a'), context.sleep('nap', 500)]);
      return [first, await context.waitFor('a')];
    });
    await engine.settle();
    await engine.signal(id, 'a', 'mine');
    await engine.settle();
    expect(await engine.value(id)).toEqual([null, 'mine']);
    expect(await engine.story(id)).toContain('WaitWithdrawn');
  });

  it('gives its place to a second one of the same name, before and after it is recorded', async () => {
    const { engine, id } = await begun(async (context) => {
      const replaced = context.waitFor('a').catch((error: Error & { code?: string }) => error.code);
      const second = context.waitFor('a');
      return [await replaced, await second];
    });
    await engine.signal(id, 'a', 1);
    await engine.settle();
    expect(await engine.value(id)).toEqual(['WAIT_WITHDRAWN', 1]);
    expect((await engine.story(id)).filter((type) => type === 'SignalAwaited')).toHaveLength(1);
  });

  it('is given up with whileWanted, and leaves the signal to the next one', async () => {
    const { engine, id } = await begun(async (context) => {
      const enough = new AbortController();
      const given = context.whileWanted(enough.signal, () => context.waitFor('a')).catch((error: Error) => error.message);
      await context.sleep('nap', 500);
      enough.abort(new Error('It is too late.'));
      return [await given, await context.waitFor('a')];
    });
    await engine.settle();
    await engine.signal(id, 'a', 'later');
    await engine.settle();
    expect(await engine.value(id)).toEqual(['It is too late.', 'later']);
  });

  it('does not keep a task from ending', async () => {
    const { engine, id } = await begun(async (context) => Promise.race([context.waitFor('a'), context.step('fast', () => 'fast')]));
    await engine.settle();
    expect(await engine.value(id)).toBe('fast');
  });

  it('begins anew in another attempt of the workflow, which keeps what was received', async () => {
    let attempts = 0;
    const engine = new Engine(async (context) => {
      const first = await context.waitFor('a');
      attempts = context.attempt;
      if (attempts === 1) throw new Error('once');
      return [first, await context.waitFor('a')];
    });
    engine.retry = { attempts: 2, initialMs: 1, jitter: 0 };
    const id = await engine.create();
    await engine.signal(id, 'a', 1);
    await engine.signal(id, 'a', 2);
    await engine.settle();
    expect(attempts).toBe(2);
    expect(await engine.value(id)).toEqual([1, 2]);
  });

  it.each(['SignalAwaited', 'SignalReceived'])('loses nothing when its worker dies around the record of %s', async (type) => {
    for (const side of ['before', 'after']) {
      let crash: (() => void) | undefined;
      const engine = new Engine(
        async (context) => [await context.waitFor('a'), await context.waitFor('a')],
        (store) =>
          intercept(store, async (request, append) => {
            const isIt = request.epoch !== undefined || request.events.some((event) => event.type === 'PassStarted');
            if (crash === undefined || !isIt || !request.events.some((event) => event.type === type)) return append(request);
            const result = side === 'after' ? await append(request) : 'conflict';
            crash();
            crash = undefined;
            return result;
          }),
      );
      const id = await engine.create();
      await engine.signal(id, 'a', 1);
      const job = await engine.crashing((power) => (crash = power));
      await engine.redeliver(job);
      await engine.signal(id, 'a', 2);
      await engine.settle();
      expect(await engine.value(id)).toEqual([1, 2]);
    }
  });

  it('refuses a value that does not fit its schema, by field, and continues', async () => {
    const schema = z.object({ decision: z.enum(['approve', 'reject']), amount: z.int().min(1).default(5) });
    const { engine, id } = await begun((context) => context.waitFor('approval', { schema }));
    await expect(engine.signal(id, 'approval', { decision: 'maybe' }, { id: 'x' })).rejects.toMatchObject({
      code: 'SIGNAL_DOES_NOT_FIT',
      message: 'The signal "approval" does not fit: "decision" must be one of ["approve","reject"].',
      data: { field: 'decision' },
    });
    await expect(engine.signal(id, 'approval', { amount: 1 })).rejects.toMatchObject({ data: { field: 'decision' } });
    expect(await engine.signal(id, 'approval', { decision: 'approve' }, { id: 'x' })).toBe(true);
    await engine.settle();
    expect(await engine.value(id)).toEqual({ decision: 'approve', amount: 5 });
  });

  it('passes a kept signal over that does not fit its schema', async () => {
    const engine = new Engine(async (context) => {
      const first = await context.waitFor('a', { schema: { type: 'number' } });
      return [first, await context.waitFor('a')];
    });
    const id = await engine.create();
    await engine.signal(id, 'a', 'text');
    await engine.signal(id, 'a', 7);
    await engine.settle();
    expect(await engine.value(id)).toEqual([7, 'text']);
  });

  it.each([
    ['a keyword that is not checked', { if: { type: 'number' } }, 'schema has the keyword "if", which signals do not check'],
    ['a pattern that needs backtracking', { type: 'string', pattern: '(?=a)b' }, 'cannot be used'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, 'which is no part of it'],
    ['what is no schema', 'text' as never, 'schema must be a JSON Schema'],
  ])('has no schema with %s', async (_, schema, message) => {
    const { engine, id } = await begun((context) => context.waitFor('a', { schema }));
    await engine.settle();
    expect(await engine.value(id)).toContain(message);
  });

  it('tells the workflow of a rule that JSON Schema cannot express', async () => {
    const schema = z.number().refine((value) => value % 2 === 0, 'must be even');
    const { engine, id } = await begun((context) => context.waitFor('a', { schema }));
    await engine.signal(id, 'a', 3);
    await engine.settle();
    expect(await engine.value(id)).toContain('must be even');
  });
});
