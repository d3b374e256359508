import { beforeAll, describe, expect, it } from 'vitest';
import { fold } from '../domain/evolve.js';
import { nextPass } from '../domain/next-pass.js';
import { project } from '../domain/projections/project.js';
import type { TaskId } from '../domain/task-id.js';
import { type ForkOptions, forkTask } from '../engine/fork-task.js';
import { OutageRetry } from '../engine/outage-retry.js';
import { DEFAULT_OWNER_LIMITS } from '../limits.js';
import type { TaskStore } from '../ports/task-store.js';
import type { OwnerLimits } from '../ports/task-index.js';
import { TaskWriter } from '../write/task-writer.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { opening } from './opening.js';
import { newTaskId, TaskHistory } from './task-history.js';

/** More than an append of a pass carries. */
const LARGE = { steps: 12, bytes: 512 * 1024 } as const;

/** Declares the contract of forks on every store. */
export function forkContract({ name, open }: ContractStore): void {
  describe(`forks in ${name}`, () => {
    let opened: OpenedStore;
    let store: TaskStore;
    beforeAll(
      opening(open, (openedStore) => {
        opened = openedStore;
        ({ store } = opened);
      }),
    );

    async function fork(origin: TaskId, options: ForkOptions, limits: Partial<OwnerLimits> = {}) {
      const onError = (error: unknown): void => void opened.errors.push(error);
      const writer = new TaskWriter({ store, clock: Date.now, onError });
      const outageRetry = new OutageRetry(() => store.ping());
      return forkTask({ store, writer, outageRetry, newTaskId, limitsOf: () => ({ ...DEFAULT_OWNER_LIMITS, ...limits }) }, origin, options);
    }

    /** A task that has ended after some steps, which ran one after the other. */
    async function recorded(owner: string, steps: number, bytes = 1): Promise<TaskHistory> {
      const task = new TaskHistory();
      await store.events.append(task.create({ owner }));
      await store.events.append(task.claim());
      for (let step = 1; step <= steps; step++) await store.events.append(task.step(`step ${step}`, 'x'.repeat(bytes)));
      await store.events.append(task.complete());
      return task;
    }

    it('are there with all that they take over, as a view says that is its fold', async () => {
      const owner = `owner ${newTaskId()}`;
      const origin = await recorded(owner, 3);
      const view = await fork(origin.taskId, { from: { step: 'step 3' } });
      const events = await store.events.read(view.taskId);
      expect(events.slice(1)).toEqual(origin.events.slice(2, 4));
      expect(await store.events.readOutcome(view.taskId)).toEqual({ view });
      expect(view).toEqual(JSON.parse(JSON.stringify(project(view.taskId, fold(events)).view)));
      expect(nextPass(fold(events))).toEqual({ pass: 1, dueAt: 0 });
      const { tasks } = await store.index.page(owner, 10);
      expect(tasks.map(({ taskId }) => taskId)).toEqual([view.taskId]);
      expect(await store.events.read(origin.taskId)).toEqual(origin.events);
    });

    it('may take over more than an append of a pass carries', async () => {
      const origin = await recorded(`owner ${newTaskId()}`, LARGE.steps, LARGE.bytes);
      const view = await fork(origin.taskId, { from: { step: `step ${LARGE.steps}` } });
      expect(await store.events.read(view.taskId)).toEqual([expect.anything(), ...origin.events.slice(2, LARGE.steps + 1)]);
    });

    it('are not there at all where they are over a limit of their owner', async () => {
      const owner = `owner ${newTaskId()}`;
      const origin = await recorded(owner, 2, 8_000);
      const limits = { concurrentTasks: 1, tasksPerMinute: 1 };
      await expect(fork(origin.taskId, { from: { step: 'step 2' } }, { historyBytes: 7_000 })).rejects.toMatchObject({
        code: 'TOO_MANY_BYTES',
      });
      await fork(origin.taskId, { from: { step: 'step 2' } }, limits);
      await expect(fork(origin.taskId, {}, limits)).rejects.toMatchObject({ code: 'TOO_MANY_TASKS' });
      await fork(origin.taskId, {}, { ...limits, concurrentTasks: 2 });
      expect((await store.index.page(owner, 10)).tasks).toHaveLength(2);
    });

    it('of a task that is not there are refused', async () => {
      await expect(fork(newTaskId(), {})).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    });
  });
}
