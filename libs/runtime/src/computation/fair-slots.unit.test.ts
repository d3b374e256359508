import { describe, expect, it } from 'vitest';
import { FairSlots } from './fair-slots.js';

const never = new AbortController().signal;

/** Enters for owners, and records who is inside. */
function entrance(count: number) {
  const slots = new FairSlots(count);
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = async (name: string, signal = never): Promise<void> => {
    const leave = await slots.enter(name.split(' ', 1)[0] ?? '', signal);
    inside.push(name);
    leaves.set(name, leave);
  };
  const leave = async (name: string): Promise<void> => {
    leaves.get(name)?.();
    inside.splice(inside.indexOf(name), 1);
    await settled();
  };
  return { enter, inside, leave };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('slots of owners', () => {
  it('leave a place for another owner, however many one owner asks for', async () => {
    const { enter, inside, leave } = entrance(2);
    for (const name of ['ada 1', 'ada 2', 'ada 3']) void enter(name);
    await settled();
    expect(inside).toEqual(['ada 1']);
    await enter('bob 1');
    expect(inside).toEqual(['ada 1', 'bob 1']);
    await leave('bob 1');
    expect(inside).toEqual(['ada 1']);
    await leave('ada 1');
    expect(inside).toEqual(['ada 2']);
  });

  it('go from owner to owner, not by who asked first', async () => {
    const { enter, inside, leave } = entrance(3);
    for (const name of ['ada 1', 'ada 2', 'bob 1']) void enter(name);
    await settled();
    expect(inside).toEqual(['ada 1', 'ada 2', 'bob 1']);
    for (const name of ['ada 3', 'ada 4', 'bob 2', 'carol 1']) void enter(name);
    await leave('bob 1');
    expect(inside).toEqual(['ada 1', 'ada 2', 'carol 1']);
    await leave('ada 1');
    expect(inside).toEqual(['ada 2', 'carol 1', 'bob 2']);
    await leave('carol 1');
    expect(inside).toEqual(['ada 2', 'bob 2', 'ada 3']);
  });

  it('are given back once', async () => {
    const slots = new FairSlots(2);
    const leave = await slots.enter('ada', never);
    await slots.enter('bob', never);
    leave();
    leave();
    await slots.enter('carol', never);
    const { promise, resolve } = Promise.withResolvers<string>();
    void slots.enter('dora', never).then(() => resolve('inside'));
    await settled();
    expect(await Promise.race([promise, Promise.resolve('outside')])).toBe('outside');
  });

  it('are lost by who is aborted while it waits, and are not held by it', async () => {
    const { enter, inside, leave } = entrance(2);
    await enter('ada 1');
    const caller = new AbortController();
    const waiting = enter('ada 2', caller.signal);
    void enter('ada 3');
    caller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await expect(enter('ada 4', caller.signal)).rejects.toThrow('cancelled');
    await leave('ada 1');
    expect(inside).toEqual(['ada 3']);
  });
});
