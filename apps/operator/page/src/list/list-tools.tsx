/** Chooses how a list is shown, and keeps views by name in this browser. A view is an address, so a link to it is the view. */
import { useState } from 'preact/hooks';
import { textIn } from '../parts/form-text.js';
import { goTo, route } from '../router.js';
import { COLUMNS } from './task-rows.js';
import { COLUMN_IDS, type ColumnId, columnsText, type ViewOptions } from './view-options.js';

export function ListTools({ options }: { readonly options: ViewOptions }) {
  const { path, query } = route.value;
  const { columns, isCompact } = options;
  const toggle = (id: ColumnId): void => {
    const wanted = columns.includes(id) ? columns.filter((column) => column !== id) : [...columns, id];
    if (wanted.length > 0) goTo(path, { ...query, columns: columnsText(wanted) });
  };
  return (
    <>
      <details class="menu">
        <summary class="button">Columns</summary>
        <fieldset>
          <legend>Columns</legend>
          {COLUMN_IDS.map((id) => (
            <label key={id} class="option">
              <input type="checkbox" checked={columns.includes(id)} onChange={() => toggle(id)} /> {COLUMNS[id].title}
            </label>
          ))}
        </fieldset>
      </details>
      <button type="button" aria-pressed={isCompact} onClick={() => goTo(path, { ...query, rows: isCompact ? undefined : 'compact' })}>
        Compact
      </button>
      <SavedViews />
    </>
  );
}

/** A view with its name. */
interface SavedView {
  readonly name: string;
  /** The part of the address after the `#`. */
  readonly address: string;
}

const STORED = 'longhaul-views';
const MOST_VIEWS = 50;

/** Views that something else has stored are left out. */
function savedViews(): readonly SavedView[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? '[]') as readonly Partial<SavedView>[];
    return stored.flatMap(({ name, address }) =>
      typeof name === 'string' && address?.startsWith('#/') === true ? [{ name, address }] : [],
    );
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}

function SavedViews() {
  const [views, setViews] = useState(savedViews);
  const keep = (next: readonly SavedView[]): void => {
    localStorage.setItem(STORED, JSON.stringify(next));
    setViews(next);
  };
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = textIn(new FormData(form), 'name').trim();
    keep([{ name, address: location.hash }, ...views.filter((view) => view.name !== name)].slice(0, MOST_VIEWS));
    form.reset();
  };
  return (
    <details class="menu">
      <summary class="button">Views</summary>
      <div>
        {views.length === 0 && <p class="quiet">Save the filter, columns and order of this list under a name.</p>}
        <ul class="plain">
          {views.map(({ name, address }) => (
            <li key={name}>
              <a href={address}>{name}</a>{' '}
              <button type="button" aria-label={`Remove the view ${name}`} onClick={() => keep(views.filter((view) => view.name !== name))}>
                ×
              </button>
            </li>
          ))}
        </ul>
        <form onSubmit={save}>
          <label class="field">
            <span>Name of the view</span>
            <input name="name" required maxLength={100} pattern=".*\S.*" autoComplete="off" />
          </label>
          <button type="submit">Save this view</button>
        </form>
      </div>
    </details>
  );
}
