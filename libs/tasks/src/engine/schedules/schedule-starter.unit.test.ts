import { beforeEach, describe, expect, it } from 'vitest';
import { override } from '../../../../../test/support/override.js';
import { wholeMs } from '../../domain/milliseconds.js';
import { KEEP_ENDED_MS } from '../../domain/schedules/next-act.js';
import { TaskError } from '../../errors.js';
import type { TaskStore } from '../../ports/task-store.js';
import { given, HOUR_MS, MINUTE_MS, MONDAY, OPS, prepared, ScheduleWorld } from '../../../../../test/support/schedule-world.js';

let world: ScheduleWorld;
beforeEach(() => {
  world = new ScheduleWorld();
  return () => {
    expect(world.errors).toEqual([]);
    return world.store.close();
  };
});

const add = (more?: Parameters<typeof given>[0]) => world.service.add('nightly', given(more), OPS);
const lastTask = async () => (await world.events('nightly', 'Started')).at(-1)!.taskId;

describe('a schedule', () => {
  it('starts a task at each of its times, of its owner and with its arguments, and not before', async () => {
    await add({ cron: '30 2 * * *', timeZone: 'Europe/Berlin', arguments: { days: 1 }, overlap: 'allow' });
    await world.passes(1.5 * HOUR_MS - 1);
    expect(await world.tasks()).toEqual([]);
    await world.passes(1);
    expect(await world.tasks()).toMatchObject([
      { tool: 'report', owner: 'user:alice', arguments: { days: 1 }, startedBy: 'schedule:nightly' },
    ]);
    await world.passes(24 * HOUR_MS - 1);
    expect(await world.starts('nightly')).toEqual(['01:30']);
    await world.passes(1);
    expect(await world.starts('nightly')).toEqual(['01:30', '01:30']);
    expect(world.reports.filter(({ event }) => event.type === 'Started').map(({ latenessMs }) => latenessMs)).toEqual([0, 0]);
  });

  it('costs nothing between its times, and neither do many', async () => {
    await add({ overlap: 'allow' });
    for (let count = 0; count < 99; count++) await world.service.add(`number ${count}`, given({ every: '30d' }), OPS);
    await world.passes(HOUR_MS);
    const asked: string[] = [];
    const noting = override(world.store.schedules, {
      read: (name) => {
        asked.push(name);
        return world.store.schedules.read(name);
      },
    });
    const worker = world.worker({ ...world.store, schedules: noting });
    for (let minute = 1; minute < 60; minute++) await world.passes(MINUTE_MS, worker);
    expect(asked).toEqual([]);
    await world.passes(MINUTE_MS, worker);
    expect(asked).toEqual(['nightly']);
  });

  it('starts each time up to its jitter later, always the same, in their order', async () => {
    const { uid } = await add({ every: '10m', jitter: '1d', overlap: 'allow' });
    const starts: number[] = [];
    for (let second = 0; second < 3_600; second += 10) {
      await world.passes(10_000);
      const { length } = await world.events('nightly', 'Started');
      if (length > starts.length) starts.push(world.now - MONDAY);
    }
    expect(starts.length).toBeGreaterThanOrEqual(4);
    for (const [at, start] of starts.entries()) {
      const dueAt = (at + 1) * 10 * MINUTE_MS;
      expect(start, uid).toBeGreaterThanOrEqual(dueAt);
      expect(start, uid).toBeLessThan(dueAt + 10 * MINUTE_MS + 10_000);
    }
  });

  it('ends after its single time, or its last one, and is removed when it was kept for a week', async () => {
    await add({ at: '2026-01-05T01:00:00Z' });
    await world.service.add('until', given({ every: '1h', until: '2026-01-05T02:30:00Z', overlap: 'allow' }), OPS);
    for (let hour = 0; hour < 4; hour++) await world.passes(HOUR_MS);
    expect(await world.starts('nightly')).toEqual(['01:00']);
    expect(await world.starts('until')).toEqual(['01:00', '02:00']);
    expect((await world.service.get('until', { times: 10, events: 1 })).state.endedAt).toBeDefined();
    await world.passes(KEEP_ENDED_MS);
    expect(await world.store.schedules.count()).toBe(0);
  });
});

describe('a time at which an earlier task still runs', () => {
  it('is skipped, with the reason', async () => {
    await add();
    await world.passes(HOUR_MS);
    await world.passes(HOUR_MS);
    await world.end(await lastTask());
    await world.passes(HOUR_MS);
    expect(await world.starts('nightly')).toEqual(['01:00', '03:00']);
    expect(await world.skips('nightly')).toEqual(['overlap 02:00-02:00 1']);
  });

  it('waits for its end, one of them', async () => {
    await add({ overlap: 'queue' });
    for (let hour = 0; hour < 3; hour++) await world.passes(HOUR_MS);
    expect(await world.skips('nightly')).toEqual(['overlap 03:00-03:00 1']);
    await world.end(await lastTask());
    await world.passes(5_000);
    expect(await world.starts('nightly')).toEqual(['01:00', '02:00']);
    expect((await world.store.schedules.read('nightly'))?.state.queued).toBeUndefined();
  });

  it('starts beside it', async () => {
    await add({ overlap: 'allow' });
    for (let hour = 0; hour < 3; hour++) await world.passes(HOUR_MS);
    expect(await world.starts('nightly')).toEqual(['01:00', '02:00', '03:00']);
  });

  it('starts in its place', async () => {
    await add({ overlap: 'cancel' });
    await world.passes(HOUR_MS);
    const first = await lastTask();
    await world.passes(HOUR_MS);
    expect(await world.starts('nightly')).toEqual(['01:00', '02:00']);
    const [view] = await world.store.events.views([first]);
    expect(view?.ending).toMatchObject({ kind: 'cancelled' });
  });
});

describe('times during which no worker ran', () => {
  it('start when one is back, as far as they are within the window, and are skipped before', async () => {
    await add({ overlap: 'allow', catchUp: '2h' });
    await world.passes(10 * HOUR_MS + 1);
    expect(await world.skips('nightly')).toEqual(['outage 01:00-08:00 8']);
    expect(await world.starts('nightly')).toEqual(['09:00', '10:00']);
  });

  it('are all skipped by name, also very many', async () => {
    await add({ cron: '* * * * *', catchUp: '1m' });
    await world.passes(24 * HOUR_MS);
    const skips = await world.events('nightly', 'TimesSkipped');
    expect(skips.reduce((sum, { count }) => sum + count, 0)).toBe(24 * 60 - 1);
    expect(skips.length).toBeLessThan(9);
    expect(await world.starts('nightly')).toEqual(['23:59']);
  });
});

describe('a paused schedule', () => {
  it('starts nothing, costs nothing, and skips the times of the pause', async () => {
    await add();
    await world.service.pause('nightly', 'moving house', OPS);
    await world.passes(3 * HOUR_MS);
    expect((await world.store.schedules.take(10, wholeMs(1))).names).toEqual([]);
    await world.service.resume('nightly', OPS);
    await world.passes(HOUR_MS);
    expect(await world.skips('nightly')).toEqual(['paused 01:00-03:00 3']);
    expect(await world.starts('nightly')).toEqual(['04:00']);
  });

  it('runs when it is asked to', async () => {
    await add();
    await world.service.pause('nightly', 'moving house', OPS);
    await world.service.run('nightly', OPS);
    await world.passes(0);
    expect((await world.events('nightly', 'Started')).map(({ cause }) => cause)).toEqual(['run']);
  });
});

describe('a backfill', () => {
  it('starts the past times of its range one after the other, without those that were started', async () => {
    await add();
    await world.passes(HOUR_MS);
    await world.end(await lastTask());
    await world.service.pause('nightly', 'wrong numbers', OPS);
    await world.passes(2 * HOUR_MS);
    await world.service.resume('nightly', OPS);
    const { times } = await world.service.backfill('nightly', { from: MONDAY, to: world.now }, OPS);
    expect(times).toBe(4);
    for (let sweeps = 0; sweeps < 6; sweeps++) {
      await world.passes(5_000);
      await world.end(await lastTask()).catch(() => undefined);
    }
    expect(await world.starts('nightly')).toEqual(['01:00', '00:00', '02:00', '03:00']);
    expect(await world.skips('nightly')).toContain('started 01:00-01:00 1');
    expect((await world.store.schedules.read('nightly'))?.state.backfills).toEqual([]);
  });
});

describe('a backfill of times whose tasks are gone', () => {
  it.each([
    ['and whose history is kept', 100_000],
    ['and whose idempotency key is known', 1],
  ])('%s starts none of them again', async (_what, keepEvents) => {
    await add({ overlap: 'allow', catchUp: '7d' });
    await world.passes(HOUR_MS);
    await world.end(await lastTask());
    await world.service.pause('nightly', 'moving house', OPS);
    world.now += 25 * HOUR_MS;
    await world.service.resume('nightly', OPS);
    await world.passes(0, world.worker(world.store, 0, keepEvents));
    await world.service.backfill('nightly', { from: MONDAY, to: MONDAY + HOUR_MS }, OPS);
    await world.passes(0, world.worker(world.store, 0, keepEvents));
    const kept = await world.store.schedules.history('nightly', 100_000);
    expect(kept.map(({ event }) => event.type)[0]).toBe('TimesSkipped');
    const { state } = (await world.store.schedules.read('nightly'))!;
    expect(state).toMatchObject({ starts: 2, skips: 26, backfills: [] });
  });
});

describe('a start that is refused', () => {
  it('is tried again within its window, and the limits of its owner hold', async () => {
    world.limits = { concurrentTasks: 1 };
    await add({ overlap: 'allow' });
    await world.passes(HOUR_MS);
    await world.passes(HOUR_MS);
    expect(await world.starts('nightly')).toEqual(['01:00']);
    expect(await world.events('nightly', 'StartRefused')).toMatchObject([{ code: 'TOO_MANY_TASKS', dueAt: MONDAY + 2 * HOUR_MS }]);
    await world.end(await lastTask());
    await world.passes(1_000);
    expect(await world.starts('nightly')).toEqual(['01:00', '02:00']);
  });

  it('is skipped when its window is over, with the code', async () => {
    world.prepare = () => 'unknown';
    await add({ catchUp: '10m' });
    await world.passes(HOUR_MS);
    for (let minute = 0; minute < 20; minute++) await world.passes(MINUTE_MS);
    expect(await world.events('nightly', 'TimesSkipped')).toMatchObject([{ reason: 'refused', code: 'NO_SUCH_TOOL', count: 1 }]);
    expect((await world.events('nightly', 'StartRefused'))[0]?.message).toContain('No worker has a tool report');
  });

  it('is skipped when the schedule is paused', async () => {
    world.prepare = () => 'unknown';
    await add({ catchUp: '7d' });
    await world.passes(HOUR_MS);
    await world.service.pause('nightly', 'moving house', OPS);
    await world.service.run('nightly', OPS);
    world.prepare = prepared;
    await world.passes(0);
    expect(await world.skips('nightly')).toEqual(['paused 01:00-01:00 1']);
    expect((await world.events('nightly', 'Started')).map(({ cause }) => cause)).toEqual(['run']);
  });

  it('is left to a worker that has the tool', async () => {
    world.prepare = () => 'unknown';
    await add();
    world.now += HOUR_MS;
    await world.store.workers.beat({ workerId: 'other', version: '2', tools: ['report'], startedAt: 1, slots: 1, lockToken: 'other' });
    await world.passes(0);
    expect(await world.events('nightly', 'StartRefused')).toEqual([]);
    world.prepare = prepared;
    await world.passes(1_000);
    expect(await world.starts('nightly')).toEqual(['01:00']);
  });

  it('takes the arguments that were set since then', async () => {
    world.prepare = () => ({ problem: { code: 'INVALID_ARGUMENTS', message: 'arguments do not fit' } });
    await add({ arguments: { days: 'one' } });
    await world.passes(HOUR_MS);
    await world.service.change('nightly', given({ arguments: { days: 1 } }), OPS);
    world.prepare = prepared;
    await world.passes(1_000);
    expect(await world.tasks()).toMatchObject([{ arguments: { days: 1 } }]);
  });
});

it('finds its task when the worker died before it recorded the start, though the arguments have changed', async () => {
  await add({ arguments: { days: 1 } });
  const dying = override(world.store.schedules, {
    append: (request) =>
      request.events[0]?.type === 'Started' ? Promise.reject(new TaskError('STORE_UNAVAILABLE')) : world.store.schedules.append(request),
  });
  await world.passes(HOUR_MS, world.worker({ ...world.store, schedules: dying }));
  expect(world.errors.splice(0)).toHaveLength(1);
  await world.service.change('nightly', given({ arguments: { days: 2 } }), OPS);
  await world.passes(MINUTE_MS);
  expect(await world.tasks()).toMatchObject([{ arguments: { days: 1 } }]);
  expect(await world.starts('nightly')).toEqual(['01:00']);
});

it('does not let one schedule that cannot be read hold up others', async () => {
  await add();
  await world.service.add('broken', given(), OPS);
  const unreadable: TaskStore['schedules'] = override(world.store.schedules, {
    read: (name) => (name === 'broken' ? Promise.reject(new TaskError('VALUE_NOT_GENUINE')) : world.store.schedules.read(name)),
  });
  await world.passes(HOUR_MS, world.worker({ ...world.store, schedules: unreadable }));
  expect(await world.starts('nightly')).toEqual(['01:00']);
  expect(world.errors.splice(0)).toMatchObject([{ code: 'VALUE_NOT_GENUINE' }]);
});
