/** Shows the state of a view before its data is loaded. */
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/loaded.js';

/** The loaded data; until it is loaded, why not. */
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

/** A failure and its reason. */
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

/** An empty state and its meaning. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}
