import { beforeEach, describe, expect, it } from 'vitest';
import { rowOf } from '../domain/projections/task-row.js';
import type { TaskStore } from '../ports/task-store.js';
import type { AppendRequest } from '../ports/event-store.js';
import { COUNTER_STEPS, type Counts, durationWithin, type CounterStep } from '../ports/task-counters.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';
import { TaskHistory } from './task-history.js';
import { waitUntil } from './wait-until.js';

/** Two periods, because the present one may end during a test. */
const PERIODS = 2;

/** Declares the contract of the counters on every store. */
export function taskCountersContract({ name, open }: ContractStore): void {
  describe(`the counters of ${name}`, () => {
    let store: TaskStore;
    beforeEach(opening(open, (opened) => ({ store } = opened)));

    /** The sum of the latest periods. */
    const sum = async (tool?: string, step: (typeof COUNTER_STEPS)[number]['stepMs'] = 60_000): Promise<Counts> => {
      const sums: Record<string, number> = {};
      for (const { counts } of await store.counters.series(step, PERIODS, tool))
        for (const [count, value = 0] of Object.entries(counts)) sums[count] = (sums[count] ?? 0) + value;
      return sums;
    };

    const timesOf = async (stepMs: CounterStep): Promise<number[]> => (await store.counters.series(stepMs, PERIODS)).map(({ at }) => at);

    it('are none at first, in as many periods as asked for, of which the last one is the present one', async () => {
      for (const { stepMs } of COUNTER_STEPS) {
        const periods = await store.counters.series(stepMs, 3, 'charge');
        expect(periods.map(({ counts }) => counts)).toEqual([{}, {}, {}]);
        const [first = 0, second = 0, third = 0] = periods.map(({ at }) => at);
        expect([second - first, third - second, third % stepMs]).toEqual([stepMs, stepMs, 0]);
        expect(third).toBeLessThanOrEqual(Date.now() + 1_000);
      }
      expect(await store.counters.byTool(60_000, await timesOf(60_000))).toEqual(new Map());
    });

    it('add up by tool and for all tools, in periods of every length', async () => {
      await store.counters.add([
        { tool: 'charge', name: 'created', value: 2 },
        { tool: 'ä "b"\n', name: 'created', value: 3 },
      ]);
      await store.counters.add([{ tool: 'charge', name: 'created', value: 4 }]);
      for (const { stepMs } of COUNTER_STEPS) {
        expect(await sum('charge', stepMs)).toEqual({ created: 6 });
        expect(await sum(undefined, stepMs)).toEqual({ created: 9 });
        expect(await store.counters.byTool(stepMs, await timesOf(stepMs))).toEqual(
          new Map([
            ['charge', { created: 6 }],
            ['ä "b"\n', { created: 3 }],
          ]),
        );
      }
    });

    it('keep the highest level', async () => {
      const highest = async (): Promise<number> =>
        Math.max(...(await store.counters.series(3_600_000, PERIODS)).map(({ counts }) => counts.queueAge ?? -1));
      for (const value of [0, 70, 30]) await store.counters.raise('queueAge', value);
      expect(await highest()).toBe(70);
      await store.counters.raise('queueAge', 90);
      expect(await highest()).toBe(90);
    });

    it('count what is appended: tasks that are created, end, and how long they took', async () => {
      const append = async (request: AppendRequest): Promise<void> => {
        expect(await store.events.append({ ...request, row: rowOf(request.projection.view) })).toBe('appended');
      };
      const [done, gone] = [new TaskHistory(), new TaskHistory()];
      for (const task of [done, gone]) {
        await append(task.create());
        await append(task.claim());
      }
      const late = gone.fork().complete();
      await append(done.complete());
      await append(gone.cancel());
      expect(await store.events.append({ ...late, row: rowOf(late.projection.view) })).toBe('conflict');
      await waitUntil(async () => (await sum('research')).cancelled === 1, { description: 'the counts are added' });
      expect(await sum('research')).toEqual({ created: 2, completed: 1, cancelled: 1, 'took:0': 1 });
      expect(durationWithin(await sum(), 0.95)).toBe(1);
    });
  });
}
