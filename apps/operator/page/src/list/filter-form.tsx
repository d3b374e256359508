/** What a list is filtered by. The address has it, so that a filtered list can be linked to. */
import { STATUSES, statusWord } from '../parts/status.js';
import { goTo } from '../router.js';

/** A filter as the address has it: times are of the reader's clock, as the fields have them. */
export type ListQuery = Readonly<Record<string, string>>;

const TEXTS = [
  ['tool', 'Tool'],
  ['owner', 'Owner'],
  ['reason', 'Reason of failure'],
  ['version', 'Version'],
] as const;

/** The filter as the API takes it. */
export function filterFrom({ from, before, status, tool, owner, reason, version }: ListQuery): Record<string, string | undefined> {
  return { status, tool, owner, reason, version, createdFrom: instantOf(from), createdBefore: instantOf(before) };
}

function instantOf(local: string | undefined): string | undefined {
  const at = local === undefined || local === '' ? Number.NaN : new Date(local).getTime();
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Goes to the list that the fields name. */
export function FilterForm({ query }: { readonly query: ListQuery }) {
  const wanted = new Set(query['status']?.split(','));
  const submit = (event: Event): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const names = ['tool', 'owner', 'reason', 'version', 'from', 'before', 'text'];
    goTo(['tasks'], { status: form.getAll('status').join(','), ...Object.fromEntries(names.map((name) => [name, text(name)])) });
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
      <Field name="from" title="Created from" type="datetime-local" value={query['from']} />
      <Field name="before" title="Created before" type="datetime-local" value={query['before']} />
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
  // The types of elements take one type at a time; all of these have the same attributes.
  const given = { type: type as 'text', name, step, value: value ?? '' };
  return (
    <label class="field">
      <span>{title}</span>
      <input {...given} maxLength={200} autoComplete="off" />
    </label>
  );
}
