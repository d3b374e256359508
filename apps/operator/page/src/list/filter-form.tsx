/** Shows and reads the filter of a list. It is a part of the address, so that a filtered list can be linked to. */
import { useId, useState } from 'preact/hooks';
import type { Stats } from '../../../src/answers.js';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import { textIn, textsIn } from '../parts/form-text.js';
import { STATUSES, statusWord } from '../parts/status.js';
import { localTimeOf } from '../parts/time.js';
import { goTo } from '../router.js';
import type { TasksPage } from './older-tasks.js';
import { optionMembers } from './view-options.js';

/** A filter in the address: times are instants, so that readers of all time zones see the same tasks. */
export type ListQuery = Readonly<Record<string, string>>;

const TEXTS = ['tool', 'owner', 'failure', 'group', 'deployment', 'where', 'text'] as const;

/** Tasks whose owners can be picked. */
const MOST_CHOICES = 200;

/** Fields that are hidden until somebody wants them. */
const RARE = ['failure', 'group', 'deployment', 'since', 'before'] as const;

/** Below this width the form is closed at first, so that a telephone shows tasks. */
const IS_WIDE = '(width > 48rem)';

/** A filter for the API, which refuses invalid instants and unknown members. */
export function filterFrom({
  status,
  tool,
  owner,
  failure,
  group,
  deployment,
  where,
  since,
  before,
}: ListQuery): Record<string, string | undefined> {
  return { status, tool, owner, failure, group, deployment, where, since, before };
}

/** The changed time of a field; an unchanged field stays as exact as the address. */
function instantOf(local: string, known: string | undefined): string {
  if (local === '') return '';
  return known !== undefined && local === localTimeOf(known) ? known : new Date(local).toISOString();
}

/** Opens the list that the fields describe. */
export function FilterForm({ query }: { readonly query: ListQuery }) {
  const wanted = new Set(query['status']?.split(','));
  const [isWide] = useState(() => matchMedia(IS_WIDE).matches);
  const [tools, owners] = [useId(), useId()];
  const submit = (event: Event): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => textIn(form, name).trim();
    const instant = (name: string): string => instantOf(text(name), query[name]);
    goTo(['tasks'], {
      ...optionMembers(query),
      status: textsIn(form, 'status').join(','),
      ...Object.fromEntries(TEXTS.map((name) => [name, text(name)])),
      since: instant('since'),
      before: instant('before'),
    });
  };
  const given = [...TEXTS, 'status', 'since', 'before'].filter((name) => query[name] !== undefined).length;
  return (
    <details class="filters" open={isWide}>
      <summary>{given === 0 ? 'Filters' : `Filters (${given})`}</summary>
      <form class="filter" onSubmit={submit} role="search" aria-label="Tasks">
        <fieldset onChange={(event) => event.currentTarget.form?.requestSubmit()}>
          <legend>Status</legend>
          {STATUSES.map((status) => (
            <label key={status}>
              <input type="checkbox" name="status" value={status} checked={wanted.has(status)} /> {statusWord(status)}
            </label>
          ))}
        </fieldset>
        <Field name="tool" title="Tool" value={query['tool']} list={tools} />
        <Field name="owner" title="Owner" value={query['owner']} list={owners} />
        <Field name="where" title="Searchable arguments, such as orderId=4711" value={query['where']} />
        <Field name="text" title="Text in arguments, result or error" type="search" value={query['text']} />
        <p class="actions">
          <button type="submit" class="main">
            Show
          </button>
          <button type="button" onClick={() => goTo(['tasks'], optionMembers(query))}>
            All tasks
          </button>
        </p>
        <details class="rare" open={RARE.some((name) => query[name] !== undefined)}>
          <summary>More filters</summary>
          <div>
            <Field name="failure" title="Reason of failure" value={query['failure']} />
            <Field name="group" title="Group of failures" value={query['group']} />
            <Field name="deployment" title="Version" value={query['deployment']} />
            <Field name="since" title="Created from" type="datetime-local" value={localTimeOf(query['since'] ?? '')} />
            <Field name="before" title="Created before" type="datetime-local" value={localTimeOf(query['before'] ?? '')} />
          </div>
        </details>
      </form>
      <Choices ids={{ tools, owners }} />
    </details>
  );
}

/** The lists to pick from. The form is not rendered again when they come: that would undo what was typed meanwhile. */
function Choices({ ids }: { readonly ids: Readonly<Record<keyof LoadedChoices, string>> }) {
  const { tools = [], owners = [] } = useLoaded(loadChoices, []).data.value ?? {};
  return (
    <>
      <ChoiceList id={ids.tools} choices={tools} />
      <ChoiceList id={ids.owners} choices={owners} />
    </>
  );
}

function ChoiceList({ id, choices }: { readonly id: string; readonly choices: readonly string[] }) {
  return (
    <datalist id={id}>
      {choices.map((choice) => (
        <option key={choice} value={choice} />
      ))}
    </datalist>
  );
}

/** Tools with tasks in the last week, and tools and owners of the newest tasks. */
async function loadChoices(signal: AbortSignal): Promise<LoadedChoices> {
  const [{ tools }, { tasks }] = await Promise.all([
    get<Stats>('stats', { over: 'week' }, signal),
    get<TasksPage>('tasks', { limit: MOST_CHOICES }, signal),
  ]);
  const names = [...tools.map(({ tool }) => tool), ...tasks.map(({ tool }) => tool)];
  return { tools: [...new Set(names)].sort(), owners: [...new Set(tasks.map(({ owner }) => owner))].sort() };
}

interface LoadedChoices {
  readonly tools: readonly string[];
  readonly owners: readonly string[];
}

interface FieldProps {
  readonly name: string;
  readonly title: string;
  readonly type?: 'text' | 'search' | 'datetime-local';
  readonly value: string | undefined;
  /** The id of the list to pick from; other values may be written. */
  readonly list?: string;
}

function Field({ name, title, type = 'text', value, list }: FieldProps) {
  const step = type === 'datetime-local' ? 1 : undefined;
  // JSX accepts only one type at a time here; all of these have the same attributes.
  const given = { type: type as 'text', name, step, value: value ?? '' };
  return (
    <label class="field">
      <span>{title}</span>
      <input {...given} maxLength={200} autoComplete="off" {...(list !== undefined && { list })} />
    </label>
  );
}
