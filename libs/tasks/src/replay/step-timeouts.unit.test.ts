import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { roomThatWaits } from '../../../../test/support/room-that-waits.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { HistoryRoom } from '../history/history-room.js';
import type { StepContext } from './step-context.js';

const limited = { timeoutMs: 100, attempts: 2, initialMs: 1, jitter: 0 };
const never = (): Promise<never> => new Promise(() => undefined);
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

/** Lets the time go by while the pass runs. */
function pass(engine: Engine, ms: number): void {
  setTimeout(() => (engine.now += ms), 1);
}

describe('a step that takes longer than its limit', () => {
  it('is aborted and tried again, and what its body does later is not recorded', async () => {
    const tries: StepContext[] = [];
    let finishFirst: (value: string) => void = () => undefined;
    const engine = new Engine(async (context) =>
      context.step(
        'slow',
        (step) => {
          tries.push(step);
          if (step.attempt === 2) return 'second';
          pass(engine, 100);
          return new Promise<string>((resolve) => (finishFirst = resolve));
        },
        limited,
      ),
    );
    const id = await engine.create();
    await engine.deliver();
    finishFirst('first');
    await engine.settle();
    expect(await engine.value(id)).toBe('second');
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(tries[0]?.signal).toMatchObject({ aborted: true, reason: { code: 'STEP_TIMEOUT' } });
    expect(await engine.story(id)).toEqual([
      'TaskCreated',
      'PassStarted',
      'StepFailed',
      'PassSuspended',
      'PassStarted',
      'StepCompleted',
      'TaskCompleted',
    ]);
  });

  it('throws in the function when no try is left, in replays as well', async () => {
    const engine = new Engine(async (context) => {
      const caught = await context.step('slow', ({ signal }) => (pass(engine, 100), aborted(signal)), { timeoutMs: 100 }).catch(String);
      await context.sleep('nap', 1);
      return caught;
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('TaskError: Step "slow" was stopped: it did not end within 100 ms (timeoutMs).');
  });

  it('does not touch the steps beside it', async () => {
    const engine = new Engine(async (context) => {
      const signals: AbortSignal[] = [];
      const slow = context.step('slow', ({ signal }) => (signals.push(signal), pass(engine, 100), never()), { timeoutMs: 100 });
      const steady = context.step('steady', async ({ signal }) => {
        signals.push(signal);
        await waitUntil(() => signals[0]?.aborted === true, { description: 'the slow step is aborted' });
        return signals.map((each) => each.aborted);
      });
      await slow.catch(() => undefined);
      return steady;
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toEqual([true, false]);
  });

  it('has the limit of its worker if it names none', async () => {
    const engine = new Engine(async (context) => context.step('slow', () => (pass(engine, 50), never())).catch(String));
    const id = await engine.create();
    await engine.deliver(engine.worker('worker', { stepTimeoutMs: 50 }));
    expect(await engine.value(id)).toContain('within 50 ms');
  });

  it.each([0, -1, Number.NaN, Infinity])('cannot have a limit of %d', async (timeoutMs) => {
    const engine = new Engine(async (context) => context.step('slow', () => 1, { timeoutMs }).catch((error: Error) => error.message));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toContain(
      `step "slow": timeoutMs must be a number of milliseconds from 1 to 31536000000000, and is ${timeoutMs}.`,
    );
  });
});

describe('the signal of a step', () => {
  it('is aborted with its pass, also if it is looked at only then', async () => {
    let step: StepContext | undefined;
    const engine = new Engine(async (context) =>
      context.step('long', async (held) => {
        step = held;
        await engine.cancel(id);
        await worker['runs'].get(id)?.poke();
        return aborted(context.signal);
      }),
    );
    const worker = engine.worker();
    const id = await engine.create();
    await engine.deliver(worker);
    expect(step?.signal.aborted).toBe(true);
  });

  it('is not begun when its limit has passed before there was room for its value', async () => {
    const room = Promise.withResolvers<void>();
    const tries: number[] = [];
    const engine = new Engine(
      async (context) => {
        const late = context.step('late', ({ attempt }) => tries.push(attempt), { timeoutMs: 100 });
        const code = await late.catch((error: { code: string }) => error.code);
        room.resolve();
        await context.step('next', () => 'ok');
        return code;
      },
      undefined,
      { historyRoom: roomThatWaits(new HistoryRoom(), room.promise) },
    );
    const id = await engine.create();
    const delivered = engine.deliver();
    await waitUntil(
      async () => {
        engine.now += 100;
        return (await engine.story(id)).includes('StepFailed');
      },
      { description: 'its limit has passed' },
    );
    await delivered;
    expect(await engine.value(id)).toBe('STEP_TIMEOUT');
    expect(tries).toEqual([]);
  });
});
