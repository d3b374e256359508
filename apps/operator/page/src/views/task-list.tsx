/** Lists tasks of all owners: the newest ones live, older ones on demand; with a text search, as they are found. */
import { useMemo, useState } from 'preact/hooks';
import type { Task } from '../../../src/answers.js';
import { FilterForm, filterFrom, type ListQuery } from '../list/filter-form.js';
import { newestFirst, useLiveTasks } from '../list/live-tasks.js';
import { useOlderTasks } from '../list/older-tasks.js';
import { type FoundTasks, useTextSearch } from '../list/text-search.js';
import { TaskRows } from '../list/task-rows.js';
import { BulkActions } from '../list/bulk-actions.js';
import { ListTools } from '../list/list-tools.js';
import { OwnerUse } from '../list/owner-use.js';
import { SelectedTasks } from '../list/selected-tasks.js';
import { optionsFrom, type ViewOptions } from '../list/view-options.js';
import { mayOperate } from '../api/session.js';
import { linkTo } from '../router.js';
import { Failure, Nothing } from '../parts/state.js';
import { timeText } from '../parts/time.js';

/** The number of live tasks. */
const LIVE = 100;

export function TaskList({ query }: { readonly query: ListQuery }) {
  const filter = useMemo(() => filterFrom(query), [query]);
  const options = useMemo(() => optionsFrom(query), [query]);
  const { text, owner } = query;
  const key = JSON.stringify(filter);
  return (
    <>
      <h1>Tasks</h1>
      <FilterForm query={query} />
      {owner !== undefined && <OwnerUse key={owner} owner={owner} />}
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
          No task fits these filters.{' '}
          {filter['where'] !== undefined && 'Arguments are found if their tool names them as searchable; otherwise look for their text. '}
          <a href={linkTo(['tasks'])}>Show all tasks</a>
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
  const search = useTextSearch({ ...filter, text });
  const { tasks, isSearching, isAtEnd } = search.found.value;
  return (
    <>
      {search.refusal.value !== undefined && <Failure message={search.refusal.value} />}
      <SearchProgress found={search.found.value} />
      {tasks.length > 0 && <TaskRows label={`Tasks with the text ${text}`} tasks={tasks} options={options} />}
      {tasks.length === 0 && isAtEnd && (
        <Nothing>
          No task has this text in its arguments, result or error. <a href={linkTo(['tasks'])}>Show all tasks</a>
        </Nothing>
      )}
      {!isAtEnd && (
        <p class="actions">
          <button type="button" onClick={isSearching ? search.rest : search.goOn}>
            {isSearching ? 'Stop' : 'Search older tasks'}
          </button>
        </p>
      )}
    </>
  );
}

/** How far a search is. It is read out when it rests, and not each time that it changes. */
function SearchProgress({ found: { tasks, looked, unreadable, reached, isSearching, isAtEnd } }: { readonly found: FoundTasks }) {
  const back = isAtEnd || reached === undefined ? '' : `, back to ${timeText(reached)}`;
  const lacking = unreadable === 0 ? '' : ` ${unreadable.toLocaleString()} of them could not be read.`;
  return (
    <p class="quiet" role="status" aria-live={isSearching ? 'off' : 'polite'}>
      {isSearching ? 'Searching: ' : ''}
      {`${tasks.length.toLocaleString()} found in ${isAtEnd ? 'all ' : ''}${looked.toLocaleString()} tasks${back}.${lacking}`}
    </p>
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
