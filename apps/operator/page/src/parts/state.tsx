/** What a view shows before it has what it shows. */
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/loaded.js';

/** What is loaded, once it is; why it is not, as long as it is not. */
export function Shown<T>({ of, children }: { readonly of: Loaded<T>; readonly children: (data: T) => ComponentChildren }) {
  const error = of.error.value;
  const data = of.data.value;
  return (
    <>
      {error !== undefined && <Failure message={error} retry={of.reload} />}
      {data === undefined ? error === undefined && <p class="quiet">Loading…</p> : children(data)}
    </>
  );
}

/** That something did not work, and why. */
export function Failure({ message, retry }: { readonly message: string; readonly retry?: () => void }) {
  return (
    <p class="failure" role="alert">
      {message}{' '}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}

/** That there is nothing, and what that means. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}
