import { describe, expect, it, vi } from 'vitest';
import { rowOf } from '../domain/projections/task-row.js';
import type { AppendRequest } from '../ports/event-store.js';
import type { Count } from '../ports/task-counters.js';
import { TaskError } from '../errors.js';
import { TaskHistory } from '../testing/task-history.js';
import { OTHER_TOOLS, TaskTally } from './task-tally.js';

const withRow = (request: AppendRequest): AppendRequest => ({ ...request, row: rowOf(request.projection.view) });
const created = (tool: string): AppendRequest => withRow(new TaskHistory().create({ tool }));

function opened(answers: Error[] = []) {
  const added: Count[][] = [];
  const errors: unknown[] = [];
  const add = async (counts: readonly Count[]): Promise<void> => {
    const error = answers.shift();
    if (error !== undefined) throw error;
    added.push([...counts]);
  };
  return { added, errors, tally: new TaskTally({ add }, (error) => errors.push(error)) };
}

describe('the counts of a process', () => {
  it('are added together, a while after the first of them', async () => {
    vi.useFakeTimers();
    try {
      const { added, tally } = opened();
      for (const tool of ['a', 'b', 'a']) tally.note(created(tool));
      tally.note(new TaskHistory().create());
      expect(added).toEqual([]);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(added).toEqual([
        [
          { tool: 'a', name: 'created', value: 2 },
          { tool: 'b', name: 'created', value: 1 },
        ],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('wait while the store is away, and are dropped with a report for another error', async () => {
    const { added, errors, tally } = opened([new TaskError('STORE_UNAVAILABLE'), new Error('broken')]);
    tally.note(created('a'));
    await tally.flush();
    tally.note(created('a'));
    await tally.flush();
    expect([added, errors]).toEqual([[], [new Error('broken')]]);
    tally.note(created('a'));
    await tally.flush();
    expect(added).toEqual([[{ tool: 'a', name: 'created', value: 1 }]]);
  });

  it('have what was spent, by the tool that has spent it', async () => {
    const { added, tally } = opened();
    const first = created('a');
    tally.note(first);
    const spending = (data: object): AppendRequest => ({
      ...first,
      expectedVersion: 1,
      events: [{ type: 'SpendingReported', data: JSON.stringify(data), meta: '{"at":0}' }],
    });
    tally.note(spending({ cost: 0.1, tokens: 20, step: 'ask' }));
    tally.note(spending({ cost: 0.2 }));
    // Of a fork, which takes over what its origin has recorded.
    tally.note({ ...spending({ cost: 5 }), expectedVersion: 0 });
    await tally.flush();
    expect(added.flat()).toEqual([
      { tool: 'a', name: 'created', value: 2 },
      { tool: 'a', name: 'tokens', value: 20 },
      { tool: 'a', name: 'costBillionths', value: 300_000_000 },
    ]);
  });

  it('are of no more tools than there is room for: the others are counted together', async () => {
    const { added, tally } = opened();
    for (let at = 0; at < 1_003; at++) tally.note(created(`tool ${at}`));
    await tally.flush();
    expect(added[0]).toHaveLength(1_001);
    expect(added[0]?.at(-1)).toEqual({ tool: OTHER_TOOLS, name: 'created', value: 3 });
  });

  it('leave out what is imported as ended', async () => {
    const { added, tally } = opened();
    const task = new TaskHistory();
    task.create();
    tally.note({ ...withRow(task.cancel()), expectedVersion: 0 });
    await tally.flush();
    expect(added).toEqual([]);
  });
});
