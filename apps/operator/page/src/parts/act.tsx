/** Shows a button for a change, and a dialog that asks for the reason, which is written to the audit log. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf, Problem } from '../api/client.js';
import { mayOperate } from '../api/session.js';
import { textIn } from './form-text.js';
import { newKey } from './new-key.js';
import { notify } from './notices.js';
import { Failure } from './state.js';

export interface ActProps {
  /** The button, and the title of the dialog. */
  readonly label: string;
  /** The notice after success. */
  readonly done: string;
  /** Whether it removes something. */
  readonly isGrave?: boolean;
  readonly disabled?: boolean;
  /** The content and fields of the dialog, in addition to the reason. */
  readonly children?: ComponentChildren;
  /** @param key the same each time in one dialog, another one in each dialog @throws Problem, which the dialog shows */
  readonly act: (reason: string, form: FormData, key: string) => Promise<void>;
}

/** Hidden from readers, who may not change anything. */
export function Act(props: ActProps) {
  // A number, because a dialog closes before its event arrives, and by then the next one may have been opened.
  const [open, setOpen] = useState(0);
  const opened = useRef(0);
  if (!mayOperate.value) return null;
  return (
    <>
      <button
        type="button"
        class={props.isGrave === true ? 'grave' : ''}
        disabled={props.disabled ?? false}
        onClick={() => setOpen((opened.current += 1))}
      >
        {props.label}
      </button>
      {open > 0 && <ActDialog key={open} {...props} close={() => setOpen((now) => (now === open ? 0 : now))} />}
    </>
  );
}

function ActDialog({ label, done, isGrave, children, act, close }: ActProps & { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [key] = useState(newKey);
  const { error, isBusy, run } = useAct(async (form: FormData) => {
    await act(textIn(form, 'reason'), form, key);
    notify(done);
    shut();
  });
  // Closing the dialog, instead of only removing it, returns the focus to the button.
  const shut = (): void => dialog.current?.close();
  // Opens it at once, so that no typed character is lost.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    run(new FormData(event.currentTarget as HTMLFormElement));
  };
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={close}>
      <form onSubmit={submit}>
        <h2 id={title}>{label}</h2>
        {children}
        <ReasonField />
        {error !== undefined && <Failure message={error} />}
        <p class="actions">
          <button type="submit" class={isGrave === true ? 'grave' : 'main'} disabled={isBusy}>
            {label}
          </button>
          <button type="button" onClick={shut}>
            Leave it
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** The field for the reason of an action. */
export function ReasonField() {
  return (
    <label class="field">
      <span>Reason, for the audit log</span>
      <input name="reason" required maxLength={500} autoComplete="off" pattern=".*\S.*" />
    </label>
  );
}

/** Runs an action that the API may refuse, and shows the affected fields. */
export function useAct<Given>(act: (given: Given) => Promise<void>) {
  const [error, setError] = useState<string | undefined>(undefined);
  const [fields, setFields] = useState<Problem['errors']>([]);
  const [isBusy, setBusy] = useState(false);
  const run = (given: Given): void => {
    setBusy(true);
    setError(undefined);
    setFields([]);
    act(given)
      .catch((problem: unknown) => {
        setError(messageOf(problem));
        if (problem instanceof Problem) setFields(problem.errors);
      })
      .finally(() => setBusy(false));
  };
  return { error, fields, isBusy, run };
}
