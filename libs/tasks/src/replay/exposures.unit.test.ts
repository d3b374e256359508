import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import { initialState } from '../domain/state.js';
import { FIELD_LIMITS } from '../field-limits.js';
import type { PassDraft } from './drafts.js';
import { Exposures } from './exposures.js';

/** The values that are recorded when the function runs to its end, and the one that readers see then. */
async function shownBy(run: Run, retry?: Engine['retry']) {
  const engine = new Engine(run);
  engine.retry = retry;
  const id = await engine.create();
  await engine.settle();
  const recorded = (await engine.events(id)).flatMap((event) => (event.type === 'ValueExposed' ? [event.data.value] : []));
  const { exposed } = await engine.service.get(id, { owner: 'ada' });
  return { recorded, last: exposed?.value, value: await engine.value(id) };
}

describe('a value that a task shows', () => {
  it('is the latest of several, recorded once', async () => {
    const { recorded, last } = await shownBy(async (context) => {
      for (let page = 1; page <= 9; page++) context.expose({ page });
    });
    expect({ recorded, last }).toEqual({ recorded: [{ page: 9 }], last: { page: 9 } });
  });

  it('is as it was when it was shown, and may be null', async () => {
    const { last } = await shownBy(async (context) => {
      const pages = [1];
      context.expose(pages);
      pages.push(2);
      await context.sleep('nap', 1_000);
      context.expose(null);
    });
    expect(last).toBeNull();
    const kept = await shownBy(async (context) => {
      const pages = [1];
      context.expose(pages);
      pages.push(2);
    });
    expect(kept.last).toEqual([1]);
  });

  it('is not followed by an earlier one when the function is replayed, nor recorded again', async () => {
    const { recorded } = await shownBy(async (context) => {
      for (const part of ['one', 'two', 'two', 'three']) {
        context.expose(part);
        await context.sleep(part, 200);
      }
    });
    expect(recorded).toEqual(['one', 'two', 'three']);
  });

  it('may come from a step, and keeps back none that comes after it in a later pass', async () => {
    const { recorded, last } = await shownBy(async (context) => {
      context.expose('before');
      await context.sleep('first', 200);
      await context.step('chatty', () => {
        for (let part = 1; part <= 9; part++) context.expose(part);
      });
      await context.sleep('second', 200);
      context.expose('after');
    });
    expect({ recorded, last }).toEqual({ recorded: ['before', 9, 'after'], last: 'after' });
  });

  it('follows the way that a later attempt takes', async () => {
    const { recorded } = await shownBy(
      async (context) => {
        context.expose('begun');
        await context.sleep('nap', 200);
        context.expose(`attempt ${context.attempt}`);
        if (context.attempt === 1) throw new Error('once more');
      },
      { attempts: 2 },
    );
    expect(recorded.at(-1)).toBe('attempt 2');
  });

  it('may have a lone surrogate, and is given back with it', async () => {
    expect((await shownBy(async (context) => context.expose({ text: '\ud800' }))).last).toEqual({ text: '\ud800' });
  });

  it.each([
    ['undefined', undefined, 'value is undefined'],
    ['a map', { at: new Map() }, 'value.at is a Map'],
    ['no number', [Number.NaN], 'value[0] is NaN'],
    ['too long', 'x'.repeat(FIELD_LIMITS.exposedBytes), `its JSON has more than ${FIELD_LIMITS.exposedBytes} bytes`],
  ])('is refused if it is %s', async (_name, value, reason) => {
    const { value: thrown } = await shownBy(async (context) => {
      try {
        context.expose(value as never);
      } catch (error) {
        return (error as Error).message;
      }
      return 'nothing';
    });
    expect(thrown).toContain(', expose (');
    expect(thrown).toContain(`The exposed value cannot be recorded: ${reason}.`);
  });
});

describe('many values', () => {
  function pass() {
    const put: PassDraft[] = [];
    const rings: { delayMs: number; ring: () => void }[] = [];
    const run = {
      now: 0,
      clock: () => run.now,
      timers: { after: (delayMs: number, ring: () => void) => (rings.push({ delayMs, ring }), () => void rings.splice(0)) },
      signal: new AbortController().signal,
      put: (draft: PassDraft) => void put.push(draft),
      journal: { state: initialState },
    };
    return { run, put, rings, exposures: new Exposures(run) };
  }

  it('are appended by themselves if nothing else is, after a tenth of a second', () => {
    const { put, rings, exposures } = pass();
    exposures.expose('a');
    exposures.expose('b');
    expect(rings.map(({ delayMs }) => delayMs)).toEqual([100]);
    rings[0]?.ring();
    expect(put).toMatchObject([{ type: 'ExposeValue', value: 'b' }]);
  });

  it('are taken less often the more of them were recorded, but always at the end of the pass', () => {
    const { run, exposures } = pass();
    const large = (n: number): string => `${n}${'x'.repeat(15_000)}`;
    let taken = 0;
    const everyMs = (stepMs: number): void => {
      for (let n = 0; n < 1_000; n++) {
        run.now += stepMs;
        exposures.expose(large(run.now));
        taken += exposures.take(false).length;
      }
    };
    everyMs(100);
    expect(taken).toBeGreaterThan(70);
    expect(taken).toBeLessThan(500);
    exposures.expose('the end');
    expect(exposures.take(false)).toEqual([]);
    expect(exposures.take(true)).toMatchObject([{ value: 'the end' }]);
  });

  it('are not appended after the pass has ended', () => {
    const { run, rings } = pass();
    const ended = new AbortController();
    const exposures = new Exposures({ ...run, signal: ended.signal });
    exposures.expose('a');
    ended.abort();
    exposures.expose('b');
    expect(rings).toEqual([]);
  });
});
