import { expect, it } from 'vitest';
import { HistoryRoom, SMALL_BYTES } from './history-room.js';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

/** Room for 10 MiB of history, and for 2.5 MiB of values. */
const room = (): HistoryRoom => new HistoryRoom(50 * MIB);

/** Whether a promise has resolved by the next turn. */
async function isIn(entered: Promise<unknown>): Promise<boolean> {
  const waits = new Promise((resolve) => setImmediate(resolve, 'waits'));
  return (await Promise.race([entered.then(() => 'in'), waits])) === 'in';
}

it('admits large histories as long as they fit together, then one after the other', async () => {
  const histories = room();
  const first = await histories.enter(3 * MIB, never);
  const second = histories.enter(3 * MIB, never);
  const third = histories.enter(1 * MIB, never);
  expect(await isIn(second)).toBe(false);
  expect(await isIn(third), 'nobody overtakes').toBe(false);
  first.leave();
  first.leave();
  expect(await isIn(second)).toBe(true);
  expect(await isIn(third)).toBe(true);
});

it('admits one that is larger than the room when no other is held', async () => {
  const histories = room();
  const place = await histories.enter(20 * MIB, never);
  const next = histories.enter(20 * MIB, never);
  expect(await isIn(next)).toBe(false);
  place.leave();
  expect(await isIn(next)).toBe(true);
});

it('gives a history that was loaded room to grow as much again, so that it is not loaded for each step', async () => {
  const histories = room();
  const first = await histories.enter(2 * MIB, never);
  const second = await histories.enter(3 * MIB, never);
  expect(first.grow(2 * MIB)).toBe(true);
  expect(second.grow(3 * MIB)).toBe(true);
  expect(second.grow(MIB)).toBe(false);
});

it('never lets a small history wait', async () => {
  const histories = room();
  await histories.enter(20 * MIB, never);
  expect(await isIn(histories.enter(SMALL_BYTES, never))).toBe(true);
});

it('has a history that grows beyond the room leave, unless it is the only large one', async () => {
  const histories = room();
  const alone = await histories.enter(0, never);
  expect(alone.grow(SMALL_BYTES)).toBe(true);
  expect(alone.grow(20 * MIB)).toBe(true);
  const second = await histories.enter(0, never);
  expect(second.grow(MIB)).toBe(false);
  alone.leave();
  expect(second.grow(MIB)).toBe(true);
});

it('forgets a pass that stops waiting, and admits those behind it', async () => {
  const histories = room();
  await histories.enter(3 * MIB, never);
  const patience = new AbortController();
  const lost = histories.enter(3 * MIB, patience.signal);
  const behind = histories.enter(1 * MIB, never);
  patience.abort(new Error('lost'));
  await expect(lost).rejects.toThrow('lost');
  expect(await isIn(behind)).toBe(true);
  await expect(histories.enter(20 * MIB, patience.signal)).rejects.toThrow('lost');
});

it('has steps of a tool whose steps had large values wait until there is room, before they run', async () => {
  const histories = room();
  const place = await histories.enter(0, never);
  expect(place.startStep('tool', 'a', never), 'nothing is known of the tool').toBeUndefined();
  place.endStep('tool', 'a', 2 * MIB);
  const second = place.startStep('tool', 'b', never);
  expect(await isIn(second!)).toBe(false);
  expect(place.startStep('another tool', 'c', never)).toBeUndefined();
  place.freeStep('a');
  expect(await isIn(second!)).toBe(true);
  place.endStep('tool', 'b', 10);
  expect(await isIn(place.startStep('tool', 'd', never)!), 'the value was small, and took no room').toBe(true);
});

it('forgets that a tool had large values with its small ones', async () => {
  const place = await room().enter(0, never);
  place.endStep('tool', 'a', 2 * SMALL_BYTES);
  let steps = 0;
  for (; place.startStep('tool', 'b', never) !== undefined; steps++) place.endStep('tool', 'b', 10);
  expect(steps).toBe(7);
});

it('frees what the steps of a pass have taken when the pass is over', async () => {
  const histories = room();
  const first = await histories.enter(0, never);
  first.endStep('tool', 'a', 4 * MIB);
  const second = await histories.enter(0, never);
  const step = second.startStep('tool', 'a', never)!;
  expect(await isIn(step)).toBe(false);
  first.leave();
  expect(await isIn(step)).toBe(true);
});

it('knows what it can never hold', () => {
  expect(room().largestBytes).toBe(20 * MIB);
});
