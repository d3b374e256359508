import { ActiveCall } from './active-call.js';
import { CancelFailedError, ClientClosedError, ClientError, TaskCancelledError, TaskFailedError } from './errors.js';
import { followTask } from './following/follow-task.js';
import { JoinedSessions, lineOn } from './line.js';
import { parseReference } from './task-reference.js';
import { waitAtMost } from './wait-at-most.js';
const IDEMPOTENCY_KEY = 'longhaul/idempotencyKey';
/** How long `close` waits for calls to end. */
const CLOSE_GRACE_MS = 5_000;
export class ConnectedClient {
    options;
    #closing = new AbortController();
    #own;
    #joined;
    /** Tasks that may still be asked for. */
    #unfinished = new Set();
    #running = new Set();
    #closed;
    constructor(options) {
        this.options = options;
        this.#own = lineOn(options.connection);
        this.#joined = new JoinedSessions(options.join);
    }
    get client() {
        return this.#own.connection.client;
    }
    get generation() {
        return this.#own.connection.generation;
    }
    async callTool(name, args, options = {}) {
        const { idempotencyKey, ttlMs, meta } = options;
        const { connection, adapter } = this.#own;
        const progressToken = options.onProgress === undefined ? undefined : connection.wire.newId();
        const toolCall = {
            name,
            ...(args !== undefined && { arguments: args }),
            meta: {
                ...meta,
                ...(progressToken !== undefined && { progressToken }),
                ...(idempotencyKey !== undefined && { [IDEMPOTENCY_KEY]: idempotencyKey }),
            },
            isRepeatable: idempotencyKey !== undefined,
            ...(ttlMs !== undefined && { ttlMs }),
        };
        return this.#during(this.#own, { ...options, tool: name, ...(progressToken !== undefined && { progressToken }) }, async (call) => {
            call.signal.throwIfAborted();
            const answer = await adapter.start(toolCall, call);
            if ('result' in answer) {
                call.signal.throwIfAborted();
                return answer.result;
            }
            const reference = this.#referenceTo(answer.task.taskId, call);
            call.becomes(reference);
            this.#unfinished.add(answer.task.taskId);
            call.signal.throwIfAborted();
            await options.onTask?.(reference);
            return await this.#follow(this.#own, call, answer.task);
        });
    }
    async resumeTask(reference, options = {}) {
        const parsed = parseReference(reference);
        const { taskId, generation, tool, progressToken } = parsed;
        if (generation !== this.generation)
            throw new ClientError(`The task is of generation ${generation}, but the connection is of ${this.generation}.`);
        this.#closing.signal.throwIfAborted();
        const follow = (line) => this.#during(line, { ...options, tool, ...(progressToken !== undefined && { progressToken }) }, async (call) => {
            call.becomes(parsed);
            // One of another session does not need ours.
            if (line === this.#own)
                this.#unfinished.add(taskId);
            return await this.#follow(line, call, await line.adapter.task(taskId, call).get(call.signal));
        });
        const own = this.#own.connection.session;
        const session = sessionOf(parsed);
        if (session === undefined || session.id === own?.id)
            return follow(this.#own);
        return this.#joined.during(session, (line) => follow(line ?? this.#own));
    }
    close() {
        this.#closed ??= this.#close();
        return this.#closed;
    }
    async #close() {
        const { connection, adapter } = this.#own;
        this.#closing.abort(new ClientClosedError());
        // A call may still learn which task it has become, and an aborted one may be cancelling its task.
        await waitAtMost(CLOSE_GRACE_MS, Promise.allSettled(this.#running));
        await waitAtMost(CLOSE_GRACE_MS, connection.wire.delivered());
        await adapter.close();
        if (this.#unfinished.size === 0)
            await connection.endSession().catch(this.options.onError);
        await connection.close();
    }
    /** Runs one call. */
    async #during(line, options, run) {
        this.#closing.signal.throwIfAborted();
        const call = new ActiveCall({ ...options, defaults: this.options.defaults, closing: this.#closing.signal });
        const stop = line.connection.notifications.listen((notification) => call.hear(notification));
        this.options.calls.add(call);
        const running = run(call).catch(async (error) => {
            throw await this.#failure(error, call, line.adapter);
        });
        this.#running.add(running);
        try {
            return await running;
        }
        finally {
            stop();
            this.#running.delete(running);
            this.options.calls.delete(call);
            call.end();
        }
    }
    async #follow({ adapter }, call, task) {
        const result = await followTask(adapter.task(task.taskId, call), task, call);
        this.#unfinished.delete(task.taskId);
        return result;
    }
    /** What the call rejects with; a task that nobody wants any more is cancelled before. */
    async #failure(error, call, adapter) {
        const { reference } = call;
        if (call.isCancelled)
            return reference === undefined ? call.signal.reason : this.#cancel(reference, call, adapter);
        const failure = this.#closing.signal.aborted ? new ClientClosedError() : call.signal.aborted ? call.signal.reason : error;
        if (failure instanceof TaskFailedError || failure instanceof TaskCancelledError)
            this.#unfinished.delete(failure.taskId);
        else if (failure instanceof ClientError && reference !== undefined)
            failure.reference = reference;
        return failure;
    }
    /** @returns what the call rejects with */
    async #cancel(reference, call, adapter) {
        const { taskId } = reference;
        try {
            await adapter.task(taskId, call).cancel();
            this.#unfinished.delete(taskId);
            return call.signal.reason;
        }
        catch (cause) {
            const failure = new CancelFailedError(`Task ${taskId} could not be cancelled and may go on.`, { cause });
            failure.reference = reference;
            return failure;
        }
    }
    #referenceTo(taskId, { tool, progressToken }) {
        const { session } = this.#own.connection;
        return {
            taskId,
            generation: this.generation,
            tool,
            ...(session !== undefined && { sessionId: session.id, protocolVersion: session.protocolVersion }),
            ...(progressToken !== undefined && { progressToken }),
        };
    }
}
function sessionOf({ sessionId, protocolVersion }) {
    return sessionId === undefined || protocolVersion === undefined ? undefined : { id: sessionId, protocolVersion };
}
//# sourceMappingURL=connected-client.js.map