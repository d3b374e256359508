import { expect, it } from 'vitest';
import { HistoryRoom, SMALL_HISTORY_BYTES } from './history-room.js';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

/** Room for 10 MiB of history. */
const room = (): HistoryRoom => new HistoryRoom(40 * MIB);

/** Whether a promise has resolved by the next turn. */
async function isIn(entered: Promise<unknown>): Promise<boolean> {
  const waits = new Promise((resolve) => setImmediate(resolve, 'waits'));
  return (await Promise.race([entered.then(() => 'in'), waits])) === 'in';
}

it('admits large histories as long as they fit together, then one after the other', async () => {
  const histories = room();
  const first = await histories.enter(6 * MIB, never);
  const second = histories.enter(6 * MIB, never);
  const third = histories.enter(2 * MIB, never);
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

it('never lets a small history wait', async () => {
  const histories = room();
  await histories.enter(20 * MIB, never);
  expect(await isIn(histories.enter(SMALL_HISTORY_BYTES, never))).toBe(true);
});

it('has a history that grows beyond the room leave, unless it is the only large one', async () => {
  const histories = room();
  const alone = await histories.enter(0, never);
  expect(alone.grow(SMALL_HISTORY_BYTES)).toBe(true);
  expect(alone.grow(20 * MIB)).toBe(true);
  const second = await histories.enter(0, never);
  expect(second.grow(MIB)).toBe(false);
  alone.leave();
  expect(second.grow(MIB)).toBe(true);
});

it('forgets a pass that gives up waiting, and admits those behind it', async () => {
  const histories = room();
  await histories.enter(6 * MIB, never);
  const patience = new AbortController();
  const lost = histories.enter(6 * MIB, patience.signal);
  const behind = histories.enter(2 * MIB, never);
  patience.abort(new Error('lost'));
  await expect(lost).rejects.toThrow('lost');
  expect(await isIn(behind)).toBe(true);
  await expect(histories.enter(20 * MIB, patience.signal)).rejects.toThrow('lost');
});

it('knows what it can never hold', () => {
  expect(room().largestBytes).toBe(16 * MIB);
});
