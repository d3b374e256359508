import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { TaskEvent } from '../domain/events.js';
import { fold } from '../domain/evolve.js';
import type { TaskId } from '../domain/task-id.js';
import { HistoryRoom } from './history-room.js';
import { type RecentHistory, RecentHistories } from './recent-histories.js';

const alive = new AbortController().signal;

/** A task that waits for one of so many calls, and others that were told before. */
async function waiting(calls: number) {
  const engine = new Engine(async (context, { child }) => {
    if (child !== undefined) return child;
    for (let call = 0; call < calls; call++) await context.call('tool', { child: call });
    return 'done';
  });
  const id = await engine.create();
  while ((await engine.events(id)).filter(({ type }) => type === 'ChildStarted').length < calls) await engine.deliver();
  const time = { now: 1_000 };
  const read: number[] = [];
  const store = {
    readPage: (...[taskId, after, bytes]: Parameters<typeof engine.store.events.readPage>) => {
      read.push(after);
      return engine.store.events.readPage(taskId, after, bytes);
    },
  };
  const recent = new RecentHistories(store, new HistoryRoom(), () => time.now);
  const events = await engine.events(id);
  const history = (kept: readonly TaskEvent[] = events): RecentHistory => ({
    state: fold(kept),
    last: kept.at(-1) as TaskEvent,
    bytes: 10_000,
  });
  return { engine, id, recent, events, history, time, read };
}

describe('the history of a task that waits for others', () => {
  it('is read from its last event on by the next pass', async () => {
    const { id, recent, events, history, read } = await waiting(20);
    recent.keep(id, history(events.slice(0, -2)));
    const loaded = await recent.load(id, alive);
    const expected = fold(events);
    expect([...(loaded?.state.operations ?? [])]).toEqual([...expected.operations]);
    expect({ ...loaded?.state, operations: [] }).toEqual({ ...expected, operations: [] });
    expect(loaded?.bytes).toBeGreaterThan(0);
    expect(read).toEqual([events.length - 3]);
    expect(await recent.load(id, alive)).toBeUndefined();
  });

  it.each<[string, (events: readonly TaskEvent[]) => readonly TaskEvent[]]>([
    ['has another last event', (events) => [...events.slice(0, -1), { ...(events.at(-1) as TaskEvent), at: 5 }]],
    ['is shorter', (events) => [...events, events.at(-1) as TaskEvent]],
  ])('is not used where the history of the store %s', async (_, kept) => {
    const { id, recent, events, history } = await waiting(20);
    recent.keep(id, history(kept(events)));
    expect(await recent.load(id, alive)).toBeUndefined();
  });

  it('is kept for a moment only', async () => {
    const { id, recent, history, time } = await waiting(20);
    recent.keep(id, history());
    time.now += 5_000;
    expect(await recent.load(id, alive)).toBeUndefined();
  });

  it('is not kept where it is short or large, and the oldest go first', async () => {
    const short = await waiting(2);
    short.recent.keep(short.id, short.history());
    expect(await short.recent.load(short.id, alive)).toBeUndefined();
    const { id, recent, history, time } = await waiting(20);
    recent.keep(id, { ...history(), bytes: 2 * 1024 * 1024 });
    expect(await recent.load(id, alive)).toBeUndefined();
    recent.keep(id, history());
    for (let other = 0; other < 10; other++) recent.keep(`${other}` as TaskId, { ...history(), bytes: 1024 * 1024 });
    expect(await recent.load(id, alive)).toBeUndefined();
    recent.keep(id, history());
    time.now += 4_000;
    recent.keep('other' as TaskId, history());
    expect(await recent.load(id, alive)).toBeDefined();
  });
});
