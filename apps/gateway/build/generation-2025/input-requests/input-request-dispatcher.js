import { withRelatedTask } from '../wire/related-task.js';
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;
export class InputRequestDispatcher {
    deps;
    stream;
    options;
    #seenAt = new Map();
    #asked = new Set();
    #view;
    #timer;
    #retryMs = FIRST_RETRY_MS;
    #isOver = false;
    constructor(deps, stream, options) {
        this.deps = deps;
        this.stream = stream;
        this.options = options;
    }
    /**
     * Sends what the task asks now, unless it was sent. Resolves when what may go out at once has been given to the stream.
     *
     * @throws TaskError `STORE_UNAVAILABLE` to a client that has asked for it; otherwise it is tried again later
     */
    async offer(view) {
        this.#view = view;
        if (this.#asked.size > 0)
            this.deps.deliveryLeases.retain(this.stream.holder, view.taskId, new Set(view.pendingInputs.map(({ key }) => key)));
        this.#retryMs = FIRST_RETRY_MS;
        await (this.options.isAskedFor ? this.#askAll() : this.#askOrRetry());
    }
    end() {
        this.#isOver = true;
        clearTimeout(this.#timer);
    }
    async #askAll() {
        const view = this.#view;
        clearTimeout(this.#timer);
        const open = view?.pendingInputs.filter(({ key }) => !this.#asked.has(key)) ?? [];
        if (view === undefined || open.length === 0)
            return;
        const now = performance.now();
        let waitMs = Infinity;
        for (const input of open) {
            const seenAt = this.#seenAt.get(input.key) ?? now;
            this.#seenAt.set(input.key, seenAt);
            const graceLeftMs = seenAt + this.options.graceMs - now;
            if (graceLeftMs > 0)
                waitMs = Math.min(waitMs, graceLeftMs);
            else if (!(await this.#ask(view, input))) {
                waitMs = Math.min(waitMs, this.#retryMs);
                this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
            }
        }
        if (waitMs < Infinity && !this.#isOver)
            this.#timer = setTimeout(() => void this.#askOrRetry(), waitMs);
    }
    async #askOrRetry() {
        try {
            await this.#askAll();
        }
        catch (error) {
            this.deps.logger.warn({ err: error }, 'request not sent');
            if (!this.#isOver)
                this.#timer = setTimeout(() => void this.#askOrRetry(), MAX_RETRY_MS);
        }
    }
    /** @returns whether the request need not be tried again */
    async #ask({ taskId, implicit }, { key, method, params }) {
        const { deliveryLeases, inputIds } = this.deps;
        const { isAskedFor } = this.options;
        if (!(await deliveryLeases.take(this.stream.holder, { taskId, key, isAskedFor })))
            return false;
        if (this.#isOver)
            deliveryLeases.release(this.stream.holder); // Nobody is there to be asked; others may ask.
        if (this.#isOver || this.#asked.has(key))
            return true;
        this.#asked.add(key);
        const id = inputIds.idOf({ taskId, key });
        if (this.stream.hasSent(id))
            return true;
        // A request about a task of the client names that task only: the client would look for ours in its place.
        const related = implicit === true || method.startsWith('tasks/') ? undefined : taskId;
        this.stream.push({ id, method, params: withRelatedTask(params, related) });
        return true;
    }
}
//# sourceMappingURL=input-request-dispatcher.js.map