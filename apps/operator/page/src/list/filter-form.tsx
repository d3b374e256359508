/** Shows and reads the filter of a list. It is a part of the address, so that a filtered list can be linked to. */
import { textIn, textsIn } from '../parts/form-text.js';
import { STATUSES, statusWord } from '../parts/status.js';
import { localTimeOf } from '../parts/time.js';
import { goTo } from '../router.js';

/** A filter in the address: times are instants, so that readers of all time zones see the same tasks. */
export type ListQuery = Readonly<Record<string, string>>;

const TEXTS = [
  ['tool', 'Tool'],
  ['owner', 'Owner'],
  ['failure', 'Reason of failure'],
  ['deployment', 'Version'],
] as const;

/** A filter for the API, which refuses invalid instants and unknown members. */
export function filterFrom({ status, tool, owner, failure, deployment, since, before }: ListQuery): Record<string, string | undefined> {
  return { status, tool, owner, failure, deployment, since, before };
}

/** The changed time of a field; an unchanged field stays as exact as the address. */
function instantOf(local: string, known: string | undefined): string {
  if (local === '') return '';
  return known !== undefined && local === localTimeOf(known) ? known : new Date(local).toISOString();
}

/** Opens the list that the fields describe. */
export function FilterForm({ query }: { readonly query: ListQuery }) {
  const wanted = new Set(query['status']?.split(','));
  const submit = (event: Event): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => textIn(form, name).trim();
    const instant = (name: string): string => instantOf(text(name), query[name]);
    const names = [...TEXTS.map(([name]) => name), 'text'];
    goTo(['tasks'], {
      status: textsIn(form, 'status').join(','),
      ...Object.fromEntries(names.map((name) => [name, text(name)])),
      since: instant('since'),
      before: instant('before'),
    });
  };
  return (
    <form class="filter" onSubmit={submit} role="search" aria-label="Tasks">
      <fieldset onChange={(event) => event.currentTarget.form?.requestSubmit()}>
        <legend>Status</legend>
        {STATUSES.map((status) => (
          <label key={status}>
            <input type="checkbox" name="status" value={status} checked={wanted.has(status)} /> {statusWord(status)}
          </label>
        ))}
      </fieldset>
      {TEXTS.map(([name, title]) => (
        <Field key={name} name={name} title={title} value={query[name]} />
      ))}
      <Field name="since" title="Created from" type="datetime-local" value={localTimeOf(query['since'] ?? '')} />
      <Field name="before" title="Created before" type="datetime-local" value={localTimeOf(query['before'] ?? '')} />
      <Field name="text" title="Text in arguments, result or error" type="search" value={query['text']} />
      <p class="actions">
        <button type="submit" class="main">
          Show
        </button>
        <button type="button" onClick={() => goTo(['tasks'])}>
          All tasks
        </button>
      </p>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly title: string;
  readonly type?: 'text' | 'search' | 'datetime-local';
  readonly value: string | undefined;
}

function Field({ name, title, type = 'text', value }: FieldProps) {
  const step = type === 'datetime-local' ? 1 : undefined;
  // JSX accepts only one type at a time here; all of these have the same attributes.
  const given = { type: type as 'text', name, step, value: value ?? '' };
  return (
    <label class="field">
      <span>{title}</span>
      <input {...given} maxLength={200} autoComplete="off" />
    </label>
  );
}
