import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskError } from '../errors.js';
import type { TaskContext } from './task-context.js';

const question = (message: string) => ({ message, requestedSchema: { type: 'object' as const, properties: {} } });
const ask = (context: TaskContext, message = 'Which?') => context.elicit(question(message)).then(({ content }) => content?.['value']);
const accept = (value: string) => ({ action: 'accept', content: { value } });

describe('a sleep', () => {
  it('leaves the worker, and goes on when it is due', async () => {
    const engine = new Engine(async (context) => {
      await context.sleep('night', 60_000);
      return engine.now;
    });
    const id = await engine.create();
    await engine.deliver();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'TimerScheduled', 'PassSuspended']);
    expect(engine.jobs).toMatchObject([{ job: { taskId: id, pass: 2 }, dueAt: 61_000 }]);
    await engine.settle();
    expect(await engine.value(id)).toBe(61_000);
  });

  it('is not prolonged by a crash', async () => {
    let crash: (() => void) | undefined;
    const engine = new Engine(async (context) => {
      const night = context.sleep('night', 60_000);
      await context.step('a', async () => {
        await waitUntil(async () => (await engine.story(id)).includes('TimerScheduled'), { description: 'the timer is recorded' });
        crash?.();
      });
      await night;
    });
    const id = await engine.create();
    const job = await engine.crashing((now) => (crash = now));
    crash = undefined;
    engine.now += 30_000;
    await engine.redeliver(job);
    expect(engine.jobs).toMatchObject([{ dueAt: 61_000 }]);
  });

  it.each([Number.NaN, Infinity, -1])('is refused when it is %d ms', async (ms) => {
    const engine = new Engine(async (context) => context.sleep('never', ms).catch(({ code, message }: TaskError) => `${code}: ${message}`));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toContain(`INVALID_KEY: sleep "never": ms must be a number of milliseconds from 0 to `);
  });

  it('ends at the first whole millisecond after it', async () => {
    const engine = new Engine(async (context) => context.sleep('nap', 12.7));
    await engine.create();
    await engine.deliver();
    expect(engine.jobs).toMatchObject([{ dueAt: 1_013 }]);
  });

  it('can bound a step: the race is decided in the pass that runs the step', async () => {
    const engine = new Engine(async (context) => {
      const step = context.step('slow', async ({ signal }) => {
        setTimeout(() => (engine.now += 50), 1);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      return Promise.race([step.then(() => 'step'), context.sleep('limit', 20).then(() => 'limit')]);
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('limit');
  });
});

describe('a question to the client', () => {
  it('leaves the worker, and goes on with the answer', async () => {
    const engine = new Engine(async (context) => context.elicit(question('Which?')));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'InputRequested', 'PassSuspended']);
    expect(await engine.answer(id, '$elicit', { action: 'decline' })).toBe(true);
    await engine.settle();
    expect(await engine.value(id)).toEqual({ action: 'decline' });
  });

  it('takes the first answer only', async () => {
    const engine = new Engine(async (context) => ask(context));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.answer(id, '$elicit', accept('first'))).toBe(true);
    expect(await engine.answer(id, '$elicit', accept('second'))).toBe(false);
    await engine.settle();
    expect(await engine.value(id)).toBe('first');
  });

  it('throws when the client answers with an error', async () => {
    const engine = new Engine(async (context) =>
      ask(context).catch((error: Error & { code: string; data: unknown }) => [error.code, error.data]),
    );
    const id = await engine.create();
    await engine.settle();
    await engine.service.provideInput(id, '$elicit', () => ({ error: { code: -1, message: 'no' } }), { owner: 'ada' }, { via: 'test' });
    await engine.settle();
    expect(await engine.value(id)).toEqual(['INPUT_FAILED', { code: -1, message: 'no' }]);
  });

  it('cannot be swallowed by a catch-all: waiting is no exception', async () => {
    let caught = 0;
    const engine = new Engine(async (context) => {
      try {
        return await ask(context);
      } catch {
        caught += 1;
        return 'swallowed';
      } finally {
        caught += 1;
      }
    });
    const id = await engine.create();
    await engine.settle();
    expect(caught).toBe(0);
    await engine.answer(id, '$elicit', accept('yes'));
    await engine.settle();
    expect(await engine.value(id)).toBe('yes');
  });

  it('is asked together with others in one append, and answered in any order', async () => {
    const engine = new Engine(async (context) => Promise.all([ask(context, 'A?'), ask(context, 'B?')]));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'InputRequested', 'InputRequested', 'PassSuspended']);
    await engine.answer(id, '$elicit:2', accept('b'));
    await engine.settle();
    expect((await engine.service.get(id, { owner: 'ada' })).pendingInputs).toMatchObject([{ key: '$elicit', params: { message: 'A?' } }]);
    await engine.answer(id, '$elicit', accept('a'));
    await engine.settle();
    expect(await engine.value(id)).toEqual(['a', 'b']);
  });

  it('can be bounded by a sleep, and the same side wins in every later replay', async () => {
    const engine = new Engine(async (context) => {
      const late = context.sleep('limit', 100).then(() => 'late');
      const answered = ask(context);
      const winner = await Promise.race([late, answered]);
      await context.step(`after ${String(winner)}`, () => null);
      await context.sleep('rest', 500);
      await context.step('end', () => null);
      return winner;
    });
    const id = await engine.create();
    await engine.deliver();
    await engine.answer(id, '$elicit', accept('answer'));
    // Delivers the answer's pass first, then the limit, which fires only after the race was decided.
    engine.jobs.sort((a, b) => a.dueAt - b.dueAt);
    await engine.settle();
    expect(await engine.value(id)).toBe('answer');
    expect(await engine.story(id)).toContain('TimerFired');
  });

  describe('that is not wanted any more', () => {
    /** Asks until a sleep has ended, and says how that ended. */
    const impatient = async (context: TaskContext) => {
      const enough = new AbortController();
      const answer = context.whileWanted(enough.signal, () => ask(context)).catch((error: Error) => error.message);
      await context.sleep('patience', 100);
      enough.abort(new Error('It is too late.'));
      await context.sleep('rest', 100);
      return answer;
    };
    const withdrawn = 'The client answered elicitation/create with an error: The question was withdrawn: It is too late.';
    const pendingOf = async (engine: Engine, id: TaskId) => (await engine.service.get(id, { owner: 'ada' })).pendingInputs;

    it('is withdrawn with the reason: nobody can answer it, and the workflow gets an error', async () => {
      const engine = new Engine(impatient);
      const id = await engine.create();
      await engine.deliver();
      expect(await pendingOf(engine, id)).toHaveLength(1);
      await engine.deliver();
      expect(await pendingOf(engine, id)).toEqual([]);
      expect(await engine.answer(id, '$elicit', accept('late'))).toBe(false);
      await engine.settle();
      expect(await engine.value(id)).toBe(withdrawn);
    });

    it('keeps the answer that came before', async () => {
      const engine = new Engine(impatient);
      const id = await engine.create();
      await engine.deliver();
      await engine.answer(id, '$elicit', accept('in time'));
      await engine.settle();
      expect(await engine.value(id)).toBe('in time');
      expect((await engine.story(id)).filter((type) => type === 'InputReceived')).toHaveLength(1);
    });

    it('is withdrawn as soon as it is asked, where it never was wanted', async () => {
      const engine = new Engine(async (context) => {
        const answers = [AbortSignal.abort(new Error('It is too late.')), new AbortController().signal].map((signal) =>
          context.whileWanted(signal, () => ask(context)).catch((error: Error) => error.message),
        );
        return Promise.all(answers);
      });
      const id = await engine.create();
      await engine.settle();
      expect((await pendingOf(engine, id)).map(({ key }) => key)).toEqual(['$elicit:2']);
      await engine.answer(id, '$elicit:2', accept('yes'));
      await engine.settle();
      expect(await engine.value(id)).toEqual([withdrawn, 'yes']);
    });

    it.each(['before', 'after'])('is withdrawn once, though the worker dies %s that is recorded', async (when) => {
      let crash: (() => void) | undefined;
      const engine = new Engine(async (context) => {
        const crashIf = (step: string) => (step === when ? crash?.() : undefined);
        const enough = new AbortController();
        const answer = context.whileWanted(enough.signal, () => ask(context)).catch((error: Error) => error.message);
        await context.step('before', () => crashIf('before'));
        enough.abort(new Error('It is too late.'));
        const said = await answer;
        await context.step('after', () => crashIf('after'));
        return said;
      });
      const id = await engine.create();
      const job = await engine.crashing((now) => (crash = now));
      expect(await engine.outcome(id)).toBeUndefined();
      crash = undefined;
      await engine.redeliver(job);
      await engine.settle();
      expect(await engine.value(id)).toBe(withdrawn);
      expect((await engine.story(id)).filter((type) => type === 'InputReceived')).toHaveLength(1);
    });
  });

  it('is noticed by a pass that still runs a step', async () => {
    const engine = new Engine(async (context) => {
      const answer = ask(context);
      await context.step('a', async () => {
        while (!(await engine.answer(id, '$elicit', accept('now')))) await new Promise(setImmediate);
      });
      return answer;
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('now');
    expect((await engine.story(id)).filter((type) => type === 'PassSuspended')).toHaveLength(0);
  });

  it('that is answered while the pass is still suspending is not lost', async () => {
    const engine = new Engine(
      async (context) => ask(context),
      (store) =>
        intercept(store, async (request, append) => {
          const result = await append(request);
          if (request.events.some(({ type }) => type === 'InputRequested')) await engine.answer(request.taskId, '$elicit', accept('quick'));
          return result;
        }),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('quick');
  });
});

describe('code that runs on after the pass was left', () => {
  it('gets no answer and records nothing', async () => {
    let leftBehind: TaskContext | undefined;
    const engine = new Engine(async (context) => {
      leftBehind ??= context;
      return ask(context);
    });
    const id = await engine.create();
    await engine.settle();
    const before = await engine.story(id);
    let ran = false;
    void leftBehind?.step('ghost', () => (ran = true));
    leftBehind?.status('ghost');
    leftBehind?.progress({ progress: 1 });
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(ran).toBe(false);
    expect(await engine.story(id)).toEqual(before);
    expect(leftBehind?.signal.aborted).toBe(true);
  });
});

describe('a timer that fires as its pass is claimed', () => {
  it('is delivered once when the function asks for it while the claim is on its way', async () => {
    const [claiming, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isSecond = false;
    const engine = new Engine(
      async (context) => {
        if (isSecond) await claiming.promise;
        const nap = context.sleep('nap', 1_000);
        // The operation is asked for when somebody awaits it.
        void nap.then(() => undefined);
        if (isSecond) setImmediate(asked.resolve);
        await nap;
        return context.step('after', () => 'awake');
      },
      (store) =>
        intercept(store, async (request, append) => {
          if (isSecond) {
            claiming.resolve();
            await asked.promise;
          }
          return append(request);
        }),
    );
    const id = await engine.create();
    await engine.deliver();
    isSecond = true;
    await engine.deliver();
    expect(await engine.value(id)).toBe('awake');
  });
});
