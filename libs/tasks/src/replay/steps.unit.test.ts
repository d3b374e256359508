import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { TerminalError } from '../errors.js';

describe('a step', () => {
  it('runs once and hands out what was recorded, also on the first run', async () => {
    const engine = new Engine(async (context) => context.step('a', () => ({ kept: 1, gone: undefined })));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toStrictEqual({ kept: 1 });
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepCompleted', 'TaskCompleted']);
  });

  it('may have no value', async () => {
    const engine = new Engine(async (context) => [typeof (await context.step('a', () => undefined))]);
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toEqual(['undefined']);
  });

  it('does not run again after its record, in any pass and on any worker', async () => {
    const ran: string[] = [];
    const engine = new Engine(async (context) => {
      const a = await context.step('a', () => ran.push('a'));
      await context.sleep('nap', 10);
      const b = await context.step('b', () => ran.push('b'));
      return [a, b];
    });
    const id = await engine.create();
    await engine.settle();
    expect(ran).toEqual(['a', 'b']);
    expect(await engine.value(id)).toEqual([1, 2]);
  });

  it('runs again with the same idempotency key when its worker was lost before the record', async () => {
    const seen: string[] = [];
    let crash: (() => void) | undefined;
    const engine = new Engine(async (context) => {
      await context.step('before', () => seen.push('before'));
      return context.step('during', ({ idempotencyKey, attempt }) => {
        seen.push(`${idempotencyKey} ${attempt}`);
        crash?.();
        return 'done';
      });
    });
    const id = await engine.create();
    const job = await engine.crashing((now) => (crash = now));
    crash = undefined;
    await engine.redeliver(job);
    expect(seen).toEqual(['before', `${id}:during 1`, `${id}:during 1`]);
    expect(await engine.value(id)).toBe('done');
    expect((await engine.events(id)).flatMap((event) => (event.type === 'PassStarted' ? [event.data] : []))).toMatchObject([
      { pass: 1, epoch: 1, workerId: 'doomed' },
      { pass: 1, epoch: 2, workerId: 'heir' },
    ]);
  });

  it('has another idempotency key after its workflow was continued as new', async () => {
    const seen: string[] = [];
    const engine = new Engine(async (context, { round }) => {
      await context.step('charge', ({ idempotencyKey }) => seen.push(idempotencyKey));
      return round === 2 ? undefined : context.continueAsNew({ round: 2 });
    });
    const id = await engine.create();
    await engine.settle();
    expect(seen).toEqual([`${id}:charge`, `${id}.3:charge`]);
  });

  it('is another step each time its name is used', async () => {
    const engine = new Engine(async (context) => [await context.step('a', () => 1), await context.step('a', () => 2)]);
    const id = await engine.create();
    await engine.settle();
    const keys = (await engine.events(id)).flatMap((event) => (event.type === 'StepCompleted' ? [event.data.key] : []));
    expect(keys).toEqual(['a', 'a:2']);
    expect(await engine.value(id)).toEqual([1, 2]);
  });

  it('runs beside other steps', async () => {
    let both = 0;
    const engine = new Engine(async (context) => {
      const meet = async (): Promise<number> => {
        both += 1;
        await waitUntil(() => both === 2, { description: 'both steps run' });
        return both;
      };
      return Promise.all([context.step('left', meet), context.step('right', meet)]);
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toEqual([2, 2]);
  });

  it('gives its failure to the function, which may go on, and replays it by name and message', async () => {
    let runs = 0;
    const engine = new Engine(async (context) => {
      const failure = await context
        .step('a', () => {
          runs += 1;
          throw Object.assign(new RangeError('too far'), { code: 'E_FAR', data: { by: 1n } });
        })
        .catch((error: unknown) => error as Error & { code: string; data: unknown });
      await context.sleep('nap', 1);
      return failure instanceof Error ? [failure.name, failure.message, failure.code, failure.data] : failure;
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toEqual(['RangeError', 'too far', 'E_FAR', null]);
    expect(runs).toBe(1);
  });

  it('may throw anything', async () => {
    const engine = new Engine(async (context) =>
      context.step('a', () => Promise.reject('just text')).catch((error: Error) => error.message),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('just text');
  });

  it('is tried again after a wait that holds no worker', async () => {
    const attempts: number[] = [];
    const engine = new Engine(async (context) =>
      context.step(
        'a',
        ({ attempt }) => {
          attempts.push(attempt);
          if (attempt < 3) throw new Error('busy');
          return attempt;
        },
        { attempts: 3, initialMs: 100, factor: 3 },
      ),
    );
    const id = await engine.create();
    await engine.deliver();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepFailed', 'PassSuspended']);
    expect(engine.jobs).toMatchObject([{ dueAt: 1_100 }]);
    await engine.deliver();
    expect(engine.jobs).toMatchObject([{ dueAt: 1_400 }]);
    await engine.settle();
    expect(attempts).toEqual([1, 2, 3]);
    expect(await engine.value(id)).toBe(3);
  });

  it('is tried again in the same pass while another step keeps it', async () => {
    let release: () => void = () => undefined;
    const engine = new Engine(async (context) => {
      const long = context.step('long', () => new Promise<void>((resolve) => (release = resolve)));
      const retried = context.step(
        'short',
        ({ attempt }) => {
          if (attempt === 1) {
            setTimeout(() => (engine.now += 5), 1);
            throw new Error('busy');
          }
          release();
          return attempt;
        },
        { attempts: 2, initialMs: 5, jitter: 0 },
      );
      await long;
      return retried;
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe(2);
    expect((await engine.story(id)).filter((type) => type === 'PassStarted')).toHaveLength(1);
  });

  it('is started once for each try, however long the try takes', async () => {
    const attempts: number[] = [];
    const engine = new Engine(async (context) =>
      context.step(
        'a',
        async ({ attempt }) => {
          attempts.push(attempt);
          if (attempt === 1) throw new Error('busy');
          for (let turns = 0; turns < 50; turns++) {
            context.status(`turn ${turns}`);
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
          return attempt;
        },
        { attempts: 2, initialMs: 1 },
      ),
    );
    const id = await engine.create();
    await engine.settle();
    expect(attempts).toEqual([1, 2]);
    expect(await engine.value(id)).toBe(2);
  });

  it('is not started by a worker that stood still while another one ran it', async () => {
    let isFirst = true;
    const ran: string[] = [];
    const engine = new Engine(async (context) => {
      await context.step('a', () => ran.push('a'));
      if (isFirst) {
        isFirst = false;
        engine.now += 10_000;
        await engine.redeliver(job);
      }
      return context.step('b', () => ran.push('b'));
    });
    const id = await engine.create();
    const { job } = engine.jobs[0]!;
    await engine.deliver();
    expect(ran).toEqual(['a', 'b']);
    expect(await engine.value(id)).toBe(2);
  });

  it('is not tried again after a terminal error or a JSON-RPC error', async () => {
    for (const error of [new TerminalError('never'), Object.assign(new Error('bad'), { code: -32602 })]) {
      let runs = 0;
      const engine = new Engine(async (context) =>
        context.step('a', () => Promise.reject((runs++, error)), { attempts: 5 }).catch((caught: Error) => caught.name),
      );
      const id = await engine.create();
      await engine.settle();
      expect(runs).toBe(1);
      expect(await engine.value(id)).toBe(error.name);
    }
  });

  it('is tried again after a timeout, whose number is no JSON-RPC code', async () => {
    const engine = new Engine(async (context) =>
      context.step(
        'a',
        ({ attempt }) => {
          if (attempt === 1) throw new DOMException('too slow', 'TimeoutError');
          return attempt;
        },
        { attempts: 2, initialMs: 1 },
      ),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe(2);
  });

  it('needs a value that is JSON, and says which step has none', async () => {
    for (const bad of [10n, () => 1]) {
      const engine = new Engine(async (context) => context.step('huge', () => bad as unknown));
      const id = await engine.create();
      await engine.settle();
      expect(await engine.value(id)).toMatch(
        /^TaskError: Tool "tool", step "huge" \(\S+steps\.unit\.test\.ts:\d+:\d+\): The value of step "huge" cannot be recorded: .+/,
      );
    }
  });

  it('needs a proper name', async () => {
    for (const bad of ['', 'x'.repeat(129), '$own', 'a:2', 7 as unknown as string]) {
      const engine = new Engine(async (context) => context.step(bad, () => 1).catch((error: Error & { code: string }) => error.code));
      const id = await engine.create();
      await engine.settle();
      expect(await engine.value(id)).toBe('INVALID_KEY');
    }
  });

  it('whose failure nobody looks at harms nobody', async () => {
    const engine = new Engine(async (context) => {
      void context.step('floating', () => Promise.reject(new Error('unheard'))).catch(() => undefined);
      return context.step('b', () => 'fine');
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('fine');
  });
});

describe('time and randomness', () => {
  it('are recorded, and durable before a step can use them', async () => {
    const seen: unknown[] = [];
    let crash: (() => void) | undefined;
    const engine = new Engine(async (context) => {
      const values = [context.now(), context.randomUUID(), context.randomUUID()];
      seen.push(values);
      await context.step('use', () => crash?.());
      return values;
    });
    const id = await engine.create();
    const job = await engine.crashing((now) => (crash = now));
    crash = undefined;
    engine.now += 5_000;
    await engine.redeliver(job);
    expect(seen[1]).toEqual(seen[0]);
    expect(await engine.value(id)).toEqual(seen[0]);
    expect(new Set(seen[0] as unknown[]).size).toBe(3);
  });
});
