import { describe, expect, it } from 'vitest';
import { HostSlots, type LeaveSlot } from './host-slots.js';

const NAME = 'hooks.example.com';
const OTHER = 'other.example.com';

/** Whether a promise is settled by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(() => resolve(open)))])) !== open;
}

describe('the slots of a host', () => {
  it('are taken in turn, and those of another host are free meanwhile', async () => {
    const slots = new HostSlots(1, 2);
    const leave = await slots.enter(NAME);
    const [second, third] = [slots.enter(NAME), slots.enter(NAME)];
    expect(await isOver(second)).toBe(false);
    expect(await slots.enter(OTHER)).toBeDefined();
    expect(await slots.enter(NAME), 'two wait already').toBeUndefined();
    leave?.(false);
    const leaveSecond = await second;
    expect(await isOver(third)).toBe(false);
    leaveSecond?.(false);
    expect(await third).toBeDefined();
  });

  it('send away those that wait when a try has failed, and let one at a time try again', async () => {
    const slots = new HostSlots(2, 4);
    const held = [await slots.enter(NAME), await slots.enter(NAME)];
    const waiting = slots.enter(NAME);
    held[0]?.(true);
    expect(await waiting).toBeUndefined();
    expect(await slots.enter(NAME), 'one still tries').toBeUndefined();
    held[1]?.(true);
    const again = await slots.enter(NAME);
    expect(again).toBeDefined();
    expect(await slots.enter(NAME)).toBeUndefined();
    again?.(false);
    const both: (LeaveSlot | undefined)[] = [await slots.enter(NAME), await slots.enter(NAME)];
    expect(both.every((leave) => leave !== undefined)).toBe(true);
  });
});
