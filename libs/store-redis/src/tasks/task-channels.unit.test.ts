import type { ChannelListener } from '@longhaul/redis';
import type { TaskId } from '@longhaul/tasks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisKeys } from '../keys/tasks.js';
import { TaskChannels } from './task-channels.js';

const keys = new RedisKeys();
const TASK = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId;
/** In the same channel, and in another one. */
const NEIGHBOUR = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e12' as TaskId;
const STRANGER = '0d9e4c52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId;

let subscribed: Map<string, ChannelListener>;
let refusals: Error[];
let channels: TaskChannels;

beforeEach(() => {
  vi.useFakeTimers();
  subscribed = new Map();
  refusals = [];
  const add = async (name: string, listener: ChannelListener) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
    expect(subscribed.has(name)).toBe(false);
    subscribed.set(name, listener);
    return () => void subscribed.delete(name);
  };
  channels = new TaskChannels({ add }, keys);
  return () => void vi.useRealTimers();
});

const say = (taskId: TaskId, message: string): void => subscribed.get(keys.changes(taskId))?.(`${taskId} ${message}`);

describe('a channel', () => {
  it('is subscribed once, and passes on what is of the task', async () => {
    const heard: unknown[] = [];
    await Promise.all([
      channels.add(TASK, (message) => heard.push(['first', message])),
      channels.add(TASK, (message) => heard.push(['second', message])),
      channels.add(NEIGHBOUR, (message) => heard.push(['neighbour', message])),
    ]);
    say(TASK, '2 completed\n{}');
    say(STRANGER, '2');
    expect(heard).toEqual([
      ['first', `${TASK} 2 completed\n{}`],
      ['second', `${TASK} 2 completed\n{}`],
    ]);
  });

  it('passes on all to who wants all, and nothing to who has left', async () => {
    const heard: unknown[] = [];
    const leave = await channels.addToAll((message) => heard.push(message));
    expect([...subscribed.keys()].sort()).toEqual([...keys.allChanges()].sort());
    say(TASK, '1 working new');
    say(STRANGER, '1 working new');
    leave();
    say(TASK, '2');
    expect(heard).toEqual([`${TASK} 1 working new`, `${STRANGER} 1 working new`]);
  });

  it('stays subscribed for a minute after the last has left', async () => {
    (await channels.add(TASK, () => undefined))();
    vi.advanceTimersByTime(50_000);
    (await channels.add(NEIGHBOUR, () => undefined))();
    vi.advanceTimersByTime(59_000);
    expect(subscribed.size).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(subscribed.size).toBe(0);
    await channels.add(TASK, () => undefined);
    expect(subscribed.size).toBe(1);
  });

  it('is subscribed anew after it could not be', async () => {
    refusals.push(new Error('Redis is away.'));
    await expect(channels.add(TASK, () => undefined)).rejects.toThrow('away');
    let heard = 0;
    await channels.add(TASK, () => (heard += 1));
    say(TASK, '2');
    expect(heard).toBe(1);
  });

  it('tells all after a reconnect that something may have been missed', async () => {
    const heard: unknown[] = [];
    await channels.add(TASK, (message) => heard.push(message));
    await channels.add(NEIGHBOUR, (message) => heard.push(message));
    subscribed.get(keys.changes(TASK))?.(undefined);
    expect(heard).toEqual([undefined, undefined]);
  });
});

describe('what was read of a task is current', () => {
  const read = (version: number) => ({ version, readAt: performance.now() });

  it('if its channel was subscribed before, and nothing later was heard of it', async () => {
    expect(channels.isCurrent(TASK, read(1))).toBe(false);
    const early = read(1);
    vi.advanceTimersByTime(1);
    await channels.add(NEIGHBOUR, () => undefined);
    expect(channels.isCurrent(TASK, early)).toBe(false);
    vi.advanceTimersByTime(1);
    const known = read(1);
    expect(channels.isCurrent(TASK, { version: 1 })).toBe(false);
    expect(channels.isCurrent(TASK, known)).toBe(true);
    say(NEIGHBOUR, '7');
    say(TASK, '1 working new');
    expect(channels.isCurrent(TASK, known)).toBe(true);
    say(TASK, '2');
    expect(channels.isCurrent(TASK, known)).toBe(false);
    expect(channels.isCurrent(TASK, { ...known, version: 2 })).toBe(true);
  });

  it('for as long as the channel remembers what it has heard, a second at least', async () => {
    await channels.add(NEIGHBOUR, () => undefined);
    vi.advanceTimersByTime(1);
    const known = read(1);
    say(TASK, '2');
    for (let ms = 0; ms < 1_000; ms += 100) {
      vi.advanceTimersByTime(100);
      say(NEIGHBOUR, '3');
      expect(channels.isCurrent(TASK, known)).toBe(false);
      expect(channels.isCurrent(TASK, { ...known, version: 2 })).toBe(true);
    }
    for (const each of [1, 2, 3]) {
      vi.advanceTimersByTime(1_001);
      say(NEIGHBOUR, String(each));
    }
    expect(channels.isCurrent(TASK, { ...known, version: 2 })).toBe(false);
  });

  it('not if there was a reconnect since then', async () => {
    await channels.add(NEIGHBOUR, () => undefined);
    vi.advanceTimersByTime(1);
    const known = read(1);
    vi.advanceTimersByTime(1);
    subscribed.get(keys.changes(TASK))?.(undefined);
    expect(channels.isCurrent(TASK, known)).toBe(false);
  });
});
