/**
 * Makes the promise of an operation, which notices whether it is awaited. An operation that was started and never awaited is a mistake that
 * nothing else shows: the function ends, and the operation never runs.
 */

/** A promise that calls `onAwaited` when somebody first subscribes to it, by `await`, `then`, `catch`, `finally`, or `Promise.all` and the like. */
export class OperationPromise<T> extends Promise<T> {
  /** What is derived by `then` is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  private onAwaited: (() => void) | undefined;

  /** What `ask` resolves to, or throws; a rejection that is never awaited does not end the process. */
  static of<T>(ask: () => Promise<T>, onAwaited: () => void): OperationPromise<T> {
    const promise = new OperationPromise<T>((resolve) => resolve(ask()));
    void promise.silently(undefined, () => undefined);
    promise.onAwaited = onAwaited;
    return promise;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- It is a promise; `then` is where all ways to subscribe meet.
  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.onAwaited?.();
    return super.then(onFulfilled, onRejected);
  }

  /** A promise of the result of `change` on the value: awaiting it awaits this operation. */
  map<U>(change: (value: T) => U | Promise<U>): OperationPromise<U> {
    return OperationPromise.of(
      () => this.silently(change),
      () => this.onAwaited?.(),
    );
  }

  /** Subscribes without having awaited. */
  private silently<U>(onFulfilled?: (value: T) => U | Promise<U>, onRejected?: () => U): Promise<U> {
    return super.then(onFulfilled, onRejected);
  }
}

/**
 * A promise of the result of `change` on an operation's value. It is for wrappers of a context's operations: if the returned promise is
 * never awaited, the operation counts as not awaited. After `await` or `then` in the wrapper it would count as awaited.
 */
export function mapOperation<T, U>(operation: Promise<T>, change: (value: T) => U | Promise<U>): Promise<U> {
  return operation instanceof OperationPromise ? (operation as OperationPromise<T>).map(change) : operation.then(change);
}
