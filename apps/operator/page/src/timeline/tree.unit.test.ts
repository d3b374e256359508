import { describe, expect, it } from 'vitest';
import type { OperationSpan, TimelinePage } from '../../../src/answers.js';
import { placeOf } from './place-of.js';
import { goesOn, type Row, rowsOf, shownTasks, spanOf } from './tree.js';

const BEGAN = Date.parse('2026-01-31T12:00:00.000Z');
const UNTIL = BEGAN + 60_000;
const at = (seconds: number): string => new Date(BEGAN + 1_000 * seconds).toISOString();

let version = 0;
function operation(key: string, given: Partial<OperationSpan> = {}): OperationSpan {
  version += 1;
  const name = key.replace(/:\d+$/, '');
  return { key, name, kind: 'step', status: 'completed', version, startedAt: at(1), settledAt: at(2), tries: [], ...given };
}

function page(operations: readonly OperationSpan[], given: Partial<TimelinePage> = {}): TimelinePage {
  const counts = { passes: 0, operations: operations.length, waits: 0 };
  return { passes: [], operations: [...operations], waits: [], counts, ...given };
}

const call = (key: string, childTaskId: string): OperationSpan => operation(key, { kind: 'child', childTaskId, childTool: 'lookup' });

/** The rows as a text, with two spaces for each level. */
function shown(rows: readonly Row[]): string[] {
  return rows.map(({ depth, name, status }) => `${'  '.repeat(depth - 1)}${name}: ${status}`);
}

/** Opens rows by their names, from the top, as somebody does who looks at them. */
function opened(pages: Readonly<Record<string, TimelinePage>>, names: readonly string[], problems: Readonly<Record<string, string>> = {}) {
  const tree = { taskId: 'top', pages: new Map(Object.entries(pages)), problems: new Map(Object.entries(problems)), until: UNTIL };
  const open = new Set<string>();
  for (const name of names) open.add(rowsOf({ ...tree, open }).find((row) => row.name === name)?.id ?? '');
  return rowsOf({ ...tree, open });
}

describe('a timeline', () => {
  it('has a line for passes and waits, which opens, and one for each operation', () => {
    const passes = [
      { version: 2, pass: 1, epoch: 1, workerId: 'w', attempt: 1, startedAt: at(0), endedAt: at(2), ending: 'lost' as const },
      { version: 5, pass: 1, epoch: 2, workerId: 'x', attempt: 1, startedAt: at(5) },
    ];
    const waits = [{ reason: 'timer' as const, keys: ['nap'], startedAt: at(2), endedAt: at(5) }];
    const top = page([operation('load'), operation('$elicit', { kind: 'question', name: '$elicit' })], {
      passes,
      waits,
      counts: { passes: 2, operations: 2, waits: 1 },
    });
    expect(shown(opened({ top }, []))).toEqual(['Passes and waits: 2 passes, 1 wait', 'load: completed', 'question: $elicit: completed']);
    expect(shown(opened({ top }, ['Passes and waits'])).slice(1, 4)).toEqual([
      '  Pass 1: at worker w: its worker was lost',
      '  Wait: for a time (nap)',
      '  Pass 1: at worker x: runs',
    ]);
    expect(opened({ top }, [])[0]?.bars.map(({ look }) => look)).toEqual(['lost', 'waits', 'busy']);
    expect([goesOn(top), goesOn(page([]))]).toEqual([true, false]);
  });

  it('folds the attempts of a step, each with its own time', () => {
    const tries = [
      { attempt: 1, startedAt: at(1), endedAt: at(2), error: { name: 'Error', message: 'away' } },
      { attempt: 2, startedAt: at(30), endedAt: at(31) },
    ];
    const top = page([operation('pay', { tries }), operation('often', { tries, triesLeftOut: 7 })]);
    expect(shown(opened({ top }, []))).toEqual(['pay: completed, 2 attempts', 'often: completed, 9 attempts']);
    const rows = opened({ top }, ['pay', 'often']);
    expect(shown(rows)).toEqual([
      'pay: completed, 2 attempts',
      '  Attempt 1: away',
      '  Attempt 2: done',
      'often: completed, 9 attempts',
      '  Earlier attempts: 7 are left out',
      '  Attempt 1: away',
      '  Attempt 2: done',
    ]);
    expect(rows.slice(1, 3).flatMap(({ bars }) => bars.map(({ from }) => from - BEGAN))).toEqual([1_000, 30_000]);
  });

  it('keeps a line open while the task goes on', () => {
    const load = operation('load', { status: 'running', settledAt: undefined });
    const before = opened({ top: page([load]) }, []);
    const after = opened({ top: page([{ ...load, status: 'completed', settledAt: at(9) }, operation('more')]) }, []);
    expect(after[0]?.id).toBe(before[0]?.id);
  });
});

describe('a called task', () => {
  const pages = {
    top: page([call('ask', 'agent')]),
    agent: page([operation('model 1'), call('delegate', 'helper')]),
    helper: page([operation('search')]),
  };

  it('opens in place with its own steps, and so do those that it has called', () => {
    expect(shown(opened(pages, []))).toEqual(['child: ask (lookup): completed']);
    const rows = opened(pages, ['child: ask (lookup)', 'child: delegate (lookup)']);
    expect(shown(rows)).toEqual([
      'child: ask (lookup): completed',
      '  model 1: completed',
      '  child: delegate (lookup): completed',
      '    search: completed',
    ]);
    expect(shownTasks(rows)).toEqual(['agent', 'helper']);
    expect(rows.map(({ shows }) => shows?.taskId)).toEqual(['top', 'agent', 'agent', 'helper']);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it('is asked for when it is opened, and says why it cannot be shown', () => {
    const { top } = pages;
    expect(shownTasks(opened({ top }, ['child: ask (lookup)']))).toEqual(['agent']);
    expect(shown(opened({ top }, ['child: ask (lookup)'], { agent: 'There is no such task.' }))[1]).toBe(
      '  Its timeline: There is no such task.',
    );
  });

  it('is not shown below itself', () => {
    const rows = opened({ top: page([call('again', 'top')]) }, ['child: again (lookup)']);
    expect(rows).toHaveLength(1);
  });
});

describe('a call of another server', () => {
  it('has its parts below it, and is as the last of them that goes on', () => {
    const goes = operation('wait for 1:2', { kind: 'timer', status: 'waiting', settledAt: undefined });
    const other = operation('look at 2');
    const top = page([operation('begin 1'), operation('call 1'), operation('look at 1'), operation('call 1:2'), goes, other]);
    expect(shown(opened({ top }, []))).toEqual(['call 1: waiting', 'look at 2: completed']);
    expect(shown(opened({ top }, ['call 1']))).toEqual([
      'call 1: waiting',
      '  begin 1: completed',
      '  look at 1: completed',
      '  call 1:2: completed',
      '  timer: wait for 1: waiting',
      'look at 2: completed',
    ]);
  });
});

describe('the span of a drawing', () => {
  it('is of all that is seen, but of nothing that was taken over from another task', () => {
    const old = operation('old', { isCopied: true, startedAt: at(-90_000), settledAt: at(-89_000) });
    const rows = opened({ top: page([old, operation('new', { startedAt: at(-5), settledAt: at(70) })]) }, []);
    const span = spanOf(rows, BEGAN, UNTIL);
    expect(span).toEqual({ from: BEGAN - 5_000, to: BEGAN + 70_000 });
    expect(shown(rows)[0]).toBe('old: completed, taken over');
    expect(placeOf(rows[0]?.bars[0] ?? { from: 0, to: 0 }, span)).toEqual({ left: 0, width: 0.3 });
  });

  it.each([
    [0, 50, 0, 50],
    [25, 100, 25, 75],
    [100, 100, 99.7, 0.3],
    [40, 40, 40, 0.3],
  ])('places what lasts from %i to %i hundredths', (from, to, left, width) => {
    const place = placeOf({ from, to }, { from: 0, to: 100 });
    expect([place.left, place.width]).toEqual([expect.closeTo(left, 5), expect.closeTo(width, 5)]);
  });
});
