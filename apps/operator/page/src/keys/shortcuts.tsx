/** Lets the keyboard do what the mouse does: rows, search, and a palette that goes to a view, a task or a search. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { goTo } from '../router.js';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['/', 'search tasks'],
  ['j, k', 'next row, previous row'],
  ['x', 'select the row'],
  ['Enter', 'open the row'],
  ['Ctrl K', 'go to a view, a task or a search'],
  ['?', 'show these keys'],
];

/** An entry of the palette. */
export interface Place {
  readonly title: string;
  readonly path: readonly string[];
}

type Shown = 'keys' | 'palette' | undefined;

const TASK_ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

export function Shortcuts({ places }: { readonly places: readonly Place[] }) {
  const [shown, setShown] = useState<Shown>(undefined);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = deedOf(event, setShown);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  // The browser tells late that a dialog was closed, when another one may be open.
  const close = (closed: Shown) => (): void => setShown((now) => (now === closed ? undefined : now));
  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K" onClick={() => setShown('palette')}>
        Go to…
      </button>
      {shown === 'keys' && <Keys close={close('keys')} />}
      {shown === 'palette' && <Palette places={places} close={close('palette')} />}
    </>
  );
}

/** What a key does; nothing while somebody writes, or a dialog is open. */
function deedOf({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent, show: (shown: Shown) => void): (() => void) | undefined {
  if (document.querySelector('dialog[open]') !== null || altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? () => show('palette') : undefined;
  const isWriting = target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]');
  if (isWriting) return undefined;
  switch (key) {
    case '/':
      return search;
    case 'j':
      return () => moveRow(1);
    case 'k':
      return () => moveRow(-1);
    case 'x':
      return () => presentRow()?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
    case '?':
      return () => show('keys');
    default:
      return undefined;
  }
}

/** The search field of the view, or the list of tasks. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (field === null) return goTo(['tasks']);
  field.closest('details')?.setAttribute('open', '');
  field.focus();
}

function rows(): HTMLTableRowElement[] {
  return [...document.querySelectorAll<HTMLTableRowElement>('main tbody tr')].filter((row) => row.querySelector('a') !== null);
}

function presentRow(): HTMLTableRowElement | undefined {
  return rows().find((row) => row.contains(document.activeElement));
}

function moveRow(by: number): void {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))]?.querySelector('a')?.focus();
}

/** Opens a dialog at once, and tells when it is closed. */
function useDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return dialog;
}

function Keys({ close }: { readonly close: () => void }) {
  const title = useId();
  const dialog = useDialog();
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={close}>
      <h2 id={title}>Keys</h2>
      <dl class="facts">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

function Palette({ places, close }: { readonly places: readonly Place[]; readonly close: () => void }) {
  const dialog = useDialog();
  const [text, setText] = useState('');
  const found = foundFor(text.trim(), places);
  const open = (go: () => void): void => {
    dialog.current?.close();
    go();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const [first] = found;
    if (first !== undefined) open(first.go);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={close}>
      <form onSubmit={submit}>
        <label class="field">
          <span>View, tool, id of a task, or text</span>
          <input value={text} autoComplete="off" maxLength={200} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <ul class="plain" aria-label="Places">
          {found.map(({ title, go }) => (
            <li key={title}>
              <button type="button" onClick={() => open(go)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </dialog>
  );
}

function foundFor(text: string, places: readonly Place[]): readonly { readonly title: string; readonly go: () => void }[] {
  const wanted = text.toLowerCase();
  const views = places
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .map(({ title, path }) => ({ title, go: () => goTo(path) }));
  if (text === '') return views;
  if (TASK_ID.test(text)) return [{ title: `The task ${text}`, go: () => goTo(['tasks', text]) }];
  return [
    ...views,
    { title: `Tasks with the text “${text}”`, go: () => goTo(['tasks'], { text }) },
    { title: `Tasks of the tool ${text}`, go: () => goTo(['tasks'], { tool: text }) },
    { title: `Tasks of the owner ${text}`, go: () => goTo(['tasks'], { owner: text }) },
    { title: `The tool ${text}`, go: () => goTo(['tools', text]) },
  ];
}
