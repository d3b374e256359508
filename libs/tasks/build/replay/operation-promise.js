/**
 * The promise of an operation, which notices whether anybody waits for it. An operation that was started and
 * never awaited is a mistake that nothing else shows: the function ends, and what was asked for is never done.
 */
/** A promise that calls `onAwaited` when somebody first subscribes to it, by `await`, `then`, `catch`, `finally`, or `Promise.all` and the like. */
export class OperationPromise extends Promise {
    /** What is derived by `then` is a plain promise. */
    static get [Symbol.species]() {
        return Promise;
    }
    onAwaited;
    /** What `ask` resolves to, or throws; a rejection that nobody awaits does not end the process. */
    static of(ask, onAwaited) {
        const promise = new OperationPromise((resolve) => resolve(ask()));
        void promise.silently(undefined, () => undefined);
        promise.onAwaited = onAwaited;
        return promise;
    }
    // oxlint-disable-next-line unicorn/no-thenable -- It is a promise; `then` is where all ways to subscribe meet.
    then(onFulfilled, onRejected) {
        this.onAwaited?.();
        return super.then(onFulfilled, onRejected);
    }
    /** A promise of what `change` makes of the value: who awaits it awaits this operation. */
    map(change) {
        return OperationPromise.of(() => this.silently(change), () => this.onAwaited?.());
    }
    /** Subscribes without having awaited. */
    silently(onFulfilled, onRejected) {
        return super.then(onFulfilled, onRejected);
    }
}
/**
 * A promise of what `change` makes of an operation's value. For wrappers of a context's operations: if nobody
 * awaits what they return, the operation counts as not awaited, which it would not after `await` or `then`.
 */
export function mapOperation(operation, change) {
    return operation instanceof OperationPromise ? operation.map(change) : operation.then(change);
}
//# sourceMappingURL=operation-promise.js.map