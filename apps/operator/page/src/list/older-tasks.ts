/**
 * Tasks older than a full live list, page by page, in their state when they were loaded. If newer tasks push a task off the end of the live
 * list, it is kept; a task that leaves it otherwise no longer fits the filter, and is dropped.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, type Query } from '../api/client.js';
import type { Task } from '../../../src/answers.js';
import { useAct } from '../parts/act.js';
import { newestFirst } from './live-tasks.js';

/** A page of a list of tasks. */
export interface TasksPage {
  readonly tasks: readonly Task[];
  readonly cursor?: string;
}

interface Older {
  readonly tasks: readonly Task[];
  /** Absent before the first page, and after the last one. */
  readonly cursor?: string | undefined;
  readonly isBegun: boolean;
}

const NONE: Older = { tasks: [], isBegun: false };

/** @param live the newest tasks; all tasks if they are fewer than `limit` */
export function useOlderTasks(query: Query, limit: number, live: readonly Task[] | undefined) {
  const [older, setOlder] = useState(NONE);
  const before = useRef<readonly Task[]>([]);
  const last = live !== undefined && live.length >= limit ? live.at(-1) : undefined;
  const { error, isBusy, run } = useAct(async (from: Task) => {
    const place = older.isBegun ? { cursor: older.cursor } : { before: firstBefore(from, query['before']) };
    const page = await get<TasksPage>('tasks', { ...query, limit, ...place });
    setOlder(({ tasks }) => ({ tasks: [...tasks, ...page.tasks], cursor: page.cursor, isBegun: true }));
  });
  useEffect(() => {
    const known = before.current;
    before.current = live ?? [];
    setOlder((now) => (now.isBegun ? following(now, known, last) : now));
  }, [live]);
  return {
    tasks: last === undefined ? [] : older.tasks.filter((task) => isOlder(task, last)),
    hasMore: last !== undefined && (!older.isBegun || older.cursor !== undefined),
    isBusy,
    error,
    more: (): void => {
      if (last !== undefined) run(last);
    },
  };
}

/**
 * The older tasks after the live list has changed. If tasks between the live list and the older ones are unknown, the older ones must be
 * loaded again.
 */
function following(older: Older, known: readonly Task[], last: Task | undefined): Older {
  const newest = known[0];
  if (last === undefined || (newest !== undefined && isOlder(newest, last))) return NONE;
  const pushedOff = known.filter((task) => isOlder(task, last));
  if (pushedOff.length === 0) return older;
  const ids = new Set(pushedOff.map(({ taskId }) => taskId));
  return { ...older, tasks: [...pushedOff, ...older.tasks.filter(({ taskId }) => !ids.has(taskId))] };
}

function isOlder(task: Task, than: Task): boolean {
  return newestFirst(task, than) > 0;
}

/** Just after a task, so that others of its millisecond come first; never after the end of the filter. */
function firstBefore({ createdAt }: Task, end: string | number | undefined): string {
  const at = Date.parse(createdAt) + 1;
  return new Date(end === undefined ? at : Math.min(at, Date.parse(String(end)))).toISOString();
}
