/** Reads what a run has left behind: the streams, the ledger, and what is left to do. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { rowOf, type TaskStore, type TaskEvent, type TaskId, type TaskIndexPosition } from '@longhaul/tasks';
import { fold, Sweep, type TaskState, TaskWriter } from '@longhaul/tasks/testing';
import type { StoredTaskEvent } from '../support/legal-history.js';
import type { RawEvent, RawTask, TestStore } from '../support/stores/test-store.js';
import type { LedgerLine } from './features.js';

/** A task as it is stored. */
export interface StoredTask {
  readonly taskId: TaskId;
  /** The numbers of the stream's events, as the store has them. */
  readonly versions: readonly number[];
  readonly stream: readonly StoredTaskEvent[];
  readonly state: TaskState;
  readonly view: RawTask['view'];
}

/** Every task of the store. */
export async function readTasks(store: TestStore): Promise<ReadonlyMap<string, StoredTask>> {
  const tasks = (await store.tasks()).map(({ taskId, events, view }): StoredTask => {
    const stream = events.map(storedEvent);
    return { taskId, versions: events.map(({ version }) => version), stream, state: fold(stream.map(({ event }) => event)), view };
  });
  return new Map(tasks.map((task) => [task.taskId, task]));
}

function storedEvent({ type, data, meta }: RawEvent): StoredTaskEvent {
  const { at, epoch } = JSON.parse(meta) as { at: number; epoch?: number };
  const event = { type, at, data: JSON.parse(data) as unknown } as TaskEvent;
  return { event, ...(epoch !== undefined && { epoch }) };
}

/** All lines that the steps wrote. */
export async function readLedger(folder: string): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for (const file of await readdir(folder))
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n'))
      if (line !== '') lines.push(JSON.parse(line) as LedgerLine);
  return lines;
}

/** The job of a time limit stays when the task continues before: what comes much later is of no task that runs. */
const SOON_MS = 3_600_000;

/** What still waits to be done: jobs, and looks that are due. */
export async function openWork(store: TestStore): Promise<readonly string[]> {
  const [jobs, due] = await Promise.all([store.queuedJobs(SOON_MS), store.agenda(true)]);
  return [...(jobs > 0 ? [`${jobs} jobs`] : []), ...due.map((taskId) => `look at ${taskId}`)];
}

/** Has all tasks looked at that the agenda has. @returns the entries that are left then, rows of operators that are not as their tasks, and what was reported */
export async function sweepAll(testStore: TestStore): Promise<readonly string[]> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const store = await testStore.open({ role: 'worker', onError });
  try {
    await store.agenda.ensure(await testStore.agenda(), 'all');
    await new Sweep({ store, writer: new TaskWriter({ store, clock: Date.now, onError }), onError }).run();
    const taskIds = (await testStore.tasks()).map(({ taskId }) => taskId);
    return [...(await testStore.agenda()), ...(await falseRows(store, taskIds)), ...errors.map(String)];
  } finally {
    await store.close();
  }
}

/** Rows of operators that say something else than the tasks, and those of which there is only one of both. */
async function falseRows({ events, operators }: TaskStore, taskIds: readonly TaskId[]): Promise<readonly string[]> {
  const found = (await operators.missing(taskIds)).map((taskId) => `${taskId} has no row`);
  for (let after: TaskIndexPosition | undefined, isLast = false; !isLast;) {
    const { rows, next } = await operators.page({}, 500, after);
    const views = await events.views(
      rows.map(({ taskId }) => taskId),
      'operator',
    );
    for (const [at, row] of rows.entries()) {
      const view = views[at];
      // A row may stand for an earlier version that says the same, and has the time of another clock.
      const { viewVersion, goneAt } = row;
      const { goneAt: _, ...expected } = view === undefined ? {} : { ...rowOf(view), viewVersion };
      if (!isDeepStrictEqual(row, { ...expected, ...(goneAt !== undefined && { goneAt }) }))
        found.push(`a false row: ${JSON.stringify(row)}`);
    }
    [after, isLast] = [next, next === undefined];
  }
  return found;
}
