import { describe, expect, it } from 'vitest';
import type { TaskId } from '../domain/task-id.js';
import { BatchedWrites } from './batched-writes.js';

const parent = 'a' as TaskId;

/** Writes that the test lets through one after the other. */
function writes(fails: (commands: readonly string[]) => boolean = () => false) {
  const written: (readonly string[])[] = [];
  const held: (() => void)[] = [];
  const batched = new BatchedWrites<string>({
    write: async (_taskId, commands) => {
      await new Promise<void>((resolve) => held.push(resolve));
      if (fails(commands)) throw new Error(`refused: ${commands.join()}`);
      written.push(commands);
    },
    bytesOf: ({ length }) => length,
    maxBytes: 4,
  });
  const release = async (): Promise<void> => {
    held.shift()?.();
    await new Promise(setImmediate);
  };
  return { batched, written, release, waiting: () => held.length };
}

describe('commands that come together', () => {
  it('are written with one append after the one that is on its way, as many as fit', async () => {
    const { batched, written, release } = writes();
    const all = Promise.all(['1', '2', '3', '44', 'longer', '5'].map((command) => batched.write(parent, command)));
    for (let batch = 0; batch < 4; batch++) await release();
    await all;
    expect(written).toEqual([['1'], ['2', '3', '44'], ['longer'], ['5']]);
  });

  it('do not wait for those of another task, or for others to come', async () => {
    const { batched, release, waiting } = writes();
    const all = Promise.all([batched.write(parent, '1'), batched.write('b' as TaskId, '1')]);
    expect(waiting()).toBe(2);
    await release();
    await release();
    await all;
    void batched.write(parent, '2');
    expect(waiting()).toBe(1);
    await release();
  });

  it('are written one by one when they cannot be together, and only the one that is the reason is refused', async () => {
    const { batched, written, release } = writes((commands) => commands.includes('bad'));
    const [, good, bad] = ['1', '2', 'bad'].map((command) => batched.write(parent, command).catch((error: Error) => error.message));
    for (let write = 0; write < 4; write++) await release();
    expect(await good).toBeUndefined();
    expect(await bad).toBe('refused: bad');
    expect(written).toEqual([['1'], ['2']]);
  });
});
