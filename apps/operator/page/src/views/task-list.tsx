/** Lists tasks of all owners: the newest ones live, older ones on demand; with a text search, in the order in which they are found. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { get } from '../api/client.js';
import type { Task } from '../../../src/answers.js';
import { FilterForm, filterFrom, type ListQuery } from '../list/filter-form.js';
import { newestFirst, useLiveTasks } from '../list/live-tasks.js';
import { type TasksPage, useOlderTasks } from '../list/older-tasks.js';
import { TaskRows } from '../list/task-rows.js';
import { BulkActions } from '../list/bulk-actions.js';
import { ListTools } from '../list/list-tools.js';
import { SelectedTasks } from '../list/selected-tasks.js';
import { optionsFrom, type ViewOptions } from '../list/view-options.js';
import { mayOperate } from '../api/session.js';
import { linkTo } from '../router.js';
import { useAct } from '../parts/act.js';
import { Failure, Nothing } from '../parts/state.js';

/** The number of live tasks. */
const LIVE = 100;

export function TaskList({ query }: { readonly query: ListQuery }) {
  const filter = useMemo(() => filterFrom(query), [query]);
  const options = useMemo(() => optionsFrom(query), [query]);
  const { text } = query;
  const key = JSON.stringify(filter);
  return (
    <>
      <h1>Tasks</h1>
      <FilterForm query={query} />
      {text === undefined ? (
        <LiveList key={key} filter={filter} options={options} />
      ) : (
        <FoundList key={`${key} ${text}`} filter={filter} text={text} options={options} />
      )}
    </>
  );
}

type Filter = ReturnType<typeof filterFrom>;

interface ListProps {
  readonly filter: Filter;
  readonly options: ViewOptions;
}

function LiveList({ filter, options }: ListProps) {
  const { tasks: newest, refusal } = useLiveTasks({ ...filter, limit: LIVE });
  const live = newest.value;
  const older = useOlderTasks(filter, LIVE, live);
  if (refusal.value !== undefined) return <Failure message={refusal.value} />;
  if (live === undefined) return <p class="quiet">Loading…</p>;
  if (live.length === 0) return <NoTasks filter={filter} />;
  const tasks = [...live, ...older.tasks].sort(newestFirst);
  return (
    <>
      <TaskTable label="Tasks" tasks={tasks} filter={filter} options={options} />
      {older.hasMore && <More pages={older} label="Show older tasks" />}
    </>
  );
}

/** The rows with what is done to all of them, or to those that are selected. */
function TaskTable({ label, tasks, filter, options }: ListProps & { readonly label: string; readonly tasks: readonly Task[] }) {
  const [ids, change] = useState<ReadonlySet<string>>(new Set());
  const selection = { ids, change };
  return (
    <>
      <div class="actions">
        <BulkActions filter={filter} />
        <ListTools options={options} />
      </div>
      <SelectedTasks selection={selection} />
      <TaskRows label={label} tasks={tasks} options={options} selection={mayOperate.value ? selection : undefined} />
    </>
  );
}

function NoTasks({ filter }: { readonly filter: Filter }) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Nothing>
      {isFiltered ? (
        <>
          No task fits these filters. <a href={linkTo(['tasks'])}>Show all tasks</a>
        </>
      ) : (
        <>
          There is no task yet. <a href={linkTo(['start'])}>Start a tool</a>, call one as a task from your client, or use{' '}
          <code>npx longhaul call</code>.
        </>
      )}
    </Nothing>
  );
}

function FoundList({ filter, text, options }: ListProps & { readonly text: string }) {
  const pages = usePages({ ...filter, text }, LIVE);
  useEffect(pages.more, []);
  return (
    <>
      {pages.tasks.length > 0 && <TaskRows label={`Tasks with the text ${text}`} tasks={pages.tasks} options={options} />}
      {pages.tasks.length === 0 && pages.isAtEnd && (
        <Nothing>
          No task has this text in its arguments, result or error. <a href={linkTo(['tasks'])}>Show all tasks</a>
        </Nothing>
      )}
      {!pages.isAtEnd && <More pages={pages} label="Search older tasks" />}
    </>
  );
}

interface Pages {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly more: () => void;
}

function More({ pages, label }: { readonly pages: Pages; readonly label: string }) {
  return (
    <>
      {pages.error !== undefined && <Failure message={pages.error} />}
      <p class="actions">
        <button type="button" disabled={pages.isBusy} onClick={pages.more}>
          {label}
        </button>
      </p>
    </>
  );
}

/** Pages of a list, one after the other, in their state when they were loaded. */
function usePages(query: Readonly<Record<string, string | undefined>>, limit: number) {
  const [tasks, setTasks] = useState<readonly Task[]>([]);
  const [cursor, setCursor] = useState<string | undefined>(undefined);
  const [isAtEnd, setAtEnd] = useState(false);
  const { error, isBusy, run } = useAct(async (after: string | undefined) => {
    const page = await get<TasksPage>('tasks', { ...query, limit, cursor: after });
    setTasks((before) => [...before, ...page.tasks]);
    setCursor(page.cursor);
    setAtEnd(page.cursor === undefined);
  });
  const more = (): void => run(cursor);
  return { tasks, isAtEnd, isBusy, error, more };
}
