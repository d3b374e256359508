import { beforeEach, describe, expect, it } from 'vitest';
import { scheduleShape } from '@longhaul/runtime/schedules';
import { TaskError } from '../../errors.js';
import { UNLIMITED } from '../../ports/store-capacity.js';
import { reconcileSchedules } from './reconcile-schedules.js';
import { createScheduleService } from './schedule-service.js';
import { given, HOUR_MS, MONDAY, OPS, ScheduleWorld } from '../../../../../test/support/schedule-world.js';

let world: ScheduleWorld;
beforeEach(() => {
  world = new ScheduleWorld();
  return () => world.store.close();
});

const details = (name: string) => world.service.get(name, { times: 3, events: 10 });
const hours = (times: readonly number[]): readonly number[] => times.map((time) => (time - MONDAY) / HOUR_MS);

describe('what operators do', () => {
  it('shows the next times and the history', async () => {
    await world.service.add('nightly', given(), OPS);
    await world.passes(1.5 * HOUR_MS);
    const { upcoming, history, state } = await details('nightly');
    expect(hours(upcoming)).toEqual([2, 3, 4]);
    expect(history.map(({ event }) => event.type)).toEqual(['Started', 'StartBegun', 'ScheduleAdded']);
    expect(state).toMatchObject({ starts: 1, skips: 0, addedBy: 'operator:ops', origin: 'api' });
    await world.service.pause('nightly', 'moving house', OPS);
    expect((await details('nightly')).upcoming).toEqual([]);
  });

  it('refuses a second one of the name, one that is never due, and more than allowed', async () => {
    const limited = new ScheduleWorld();
    await world.service.add('nightly', given(), OPS);
    await expect(world.service.add('nightly', given(), OPS)).rejects.toMatchObject({ code: 'SCHEDULE_EXISTS' });
    await expect(world.service.add('past', given({ at: '2020-01-01T00:00Z' }), OPS)).rejects.toMatchObject({
      code: 'INVALID_SCHEDULE',
      field: 'at',
    });
    await expect(world.service.add(' x', given(), OPS)).rejects.toMatchObject({ code: 'INVALID_SCHEDULE', field: 'name' });
    for (let count = 0; count < 100; count++) await limited.service.add(`number ${count}`, given(), OPS);
    await expect(limited.service.add('one more', given(), OPS)).rejects.toMatchObject({ code: 'TOO_MANY_SCHEDULES' });
    await limited.store.close();
  });

  it('keeps the next time of a schedule that gets other arguments, and counts anew from other times', async () => {
    await world.service.add('often', given({ every: '2h' }), OPS);
    world.now += HOUR_MS;
    await world.service.change('often', given({ every: '2h', arguments: { days: 2 } }), OPS);
    expect(hours((await details('often')).upcoming)).toEqual([2, 4, 6]);
    await world.service.change('often', given({ every: '3h' }), OPS);
    expect(hours((await details('often')).upcoming)).toEqual([4, 7, 10]);
  });

  it('refuses a range that is none, lies ahead, or has no times or too many', async () => {
    await world.service.add('often', given({ cron: '* * * * *' }), OPS);
    const backfill = (from: number, to: number) => world.service.backfill('often', { from: MONDAY + from, to: MONDAY + to }, OPS);
    await expect(backfill(0, 1)).rejects.toMatchObject({ field: 'to', message: expect.stringContaining('future') as string });
    await expect(backfill(0, -1)).rejects.toMatchObject({ field: 'from', message: expect.stringContaining('later than to') as string });
    await expect(backfill(-2, -1)).rejects.toMatchObject({ field: 'from', message: expect.stringContaining('no time') as string });
    await expect(backfill(-24 * HOUR_MS, 0)).rejects.toMatchObject({ message: expect.stringContaining('more than 1000') as string });
  });

  it('refuses more runs and backfills than may wait', async () => {
    await world.service.add('nightly', given(), OPS);
    for (let count = 0; count < 16; count++) await world.service.run('nightly', OPS);
    await expect(world.service.run('nightly', OPS)).rejects.toMatchObject({ code: 'TOO_MANY_WAITING' });
    await world.passes(0);
    expect(await world.tasks()).toHaveLength(16);
  });

  it('says of a schedule that is not there that it is not', async () => {
    for (const act of [
      () => details('none'),
      () => world.service.pause('none', 'why', OPS),
      () => world.service.run('none', OPS),
      () => world.service.remove('none', 'api'),
      () => world.service.change('none', given(), OPS),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });
});

describe('the file', () => {
  const file = (schedules: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(schedules).map(([name, schedule]) => [name, scheduleShape.parse({ tool: 'report', every: '2h', ...schedule })]),
    );
  const reconcile = (schedules: Readonly<Record<string, object>>) =>
    reconcileSchedules({ schedules: world.store.schedules, service: world.service }, file(schedules));

  it('adds, changes and removes its schedules, and leaves those of operators alone', async () => {
    await world.service.add('by hand', given(), OPS);
    expect(await reconcile({ a: {}, b: {}, 'by hand': {} })).toEqual({
      added: ['a', 'b'],
      changed: [],
      removed: [],
      leftOut: [['by hand', expect.stringContaining('operator has added') as string]],
    });
    await world.service.pause('a', 'moving house', OPS);
    world.now += HOUR_MS;
    const nothing = { added: [], changed: [], removed: [], leftOut: [] };
    expect(await reconcile({ a: {}, b: {} })).toEqual(nothing);
    expect(await reconcile({ a: { arguments: { days: 2 } } })).toEqual({ ...nothing, changed: ['a'], removed: ['b'] });
    const { state, arguments: args } = await details('a');
    expect(state.paused).toMatchObject({ reason: 'moving house' });
    expect(state.definition.owner).toBe('schedules');
    expect(hours([state.next!])).toEqual([2]);
    expect(args).toEqual({ days: 2 });
    expect(await world.store.schedules.count()).toBe(2);
  });

  it('comes to the same when several workers read it at once', async () => {
    const all = { a: {}, b: { cron: '0 3 * * *', every: undefined }, c: {} };
    await Promise.all([reconcile(all), reconcile(all), reconcile(all)]);
    expect((await world.store.schedules.list(10)).schedules.map(({ name, revision }) => [name, revision])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
  });

  it('is the one place where its schedules are changed', async () => {
    await reconcile({ a: {} });
    await expect(world.service.change('a', given(), OPS)).rejects.toMatchObject({ code: 'SCHEDULE_FROM_FILE' });
    await expect(world.service.remove('a', 'api')).rejects.toMatchObject({ code: 'SCHEDULE_FROM_FILE' });
    await world.service.run('a', OPS);
  });

  it('may name a time that has passed, which starts nothing', async () => {
    await reconcile({ once: { every: undefined, at: '2020-01-01T00:00Z' } });
    await world.passes(HOUR_MS);
    expect((await details('once')).state).toMatchObject({ starts: 0, endedAt: MONDAY + HOUR_MS });
    expect((await reconcile({ once: { every: undefined, at: '2020-01-01T00:00Z' } })).changed).toEqual([]);
  });
});

it('takes nothing new while the store is full, and lets operators pause what is there', async () => {
  await world.service.add('nightly', given(), OPS);
  const full = { ...UNLIMITED, admit: () => Promise.reject(new TaskError('STORE_FULL')) };
  const service = createScheduleService({ store: { ...world.store, capacity: full }, limits: { all: 9, ofTenant: 9 }, keepEvents: 9 });
  await expect(service.add('more', given(), OPS)).rejects.toMatchObject({ code: 'STORE_FULL' });
  await service.pause('nightly', 'moving house', OPS);
  await service.resume('nightly', OPS);
});
