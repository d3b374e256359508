import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { ActiveCall } from './active-call.js';
import type { Connection } from './connection.js';
import { CancelFailedError, ClientClosedError, ClientError, TaskCancelledError, TaskFailedError } from './errors.js';
import { followTask } from './following/follow-task.js';
import type { TaskSnapshot } from './following/task-snapshot.js';
import type { Generation } from './generation.js';
import type { AskingCalls } from './generation-2025/asking-calls.js';
import type { CallOptions, FollowOptions } from './options.js';
import type { GenerationAdapter } from './generation-adapter.js';
import type { InputHandlers } from './input.js';
import { JoinedSessions, type Line, lineOn } from './line.js';
import type { TaskClient } from './task-client.js';
import { parseReference, type TaskReference } from './task-reference.js';
import { waitAtMost } from './waits.js';

const IDEMPOTENCY_KEY = 'longhaul/idempotencyKey';
/** How long `close` waits for calls to end. */
const CLOSE_GRACE_MS = 5_000;

export interface ConnectedClientOptions {
  readonly connection: Connection;
  /** The calls that are under way, shared with the code that answers the server's requests. */
  readonly calls: Set<ActiveCall>;
  readonly askers: AskingCalls;
  readonly defaults: InputHandlers;
  /** Joins the session of a task. */
  readonly join: (session: NonNullable<Connection['session']>) => Promise<Connection>;
  readonly onError: (error: Error) => void;
}

type RunOptions = FollowOptions & { readonly tool: string; readonly progressToken?: string };

export class ConnectedClient implements TaskClient {
  readonly #closing = new AbortController();
  readonly #own: Line;
  readonly #joined: JoinedSessions;
  /** Tasks that may still be asked for. */
  readonly #unfinished = new Set<string>();
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(private readonly options: ConnectedClientOptions) {
    this.#own = lineOn(options.connection);
    this.#joined = new JoinedSessions(options.join);
  }

  get client(): Client {
    return this.#own.connection.client;
  }

  get generation(): Generation {
    return this.#own.connection.generation;
  }

  async callTool(name: string, args?: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<CallToolResult> {
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
      await this.options.askers.turn(call);
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

  async resumeTask(reference: TaskReference, options: FollowOptions = {}): Promise<CallToolResult> {
    const parsed = parseReference(reference);
    const { taskId, generation, tool, progressToken } = parsed;
    if (generation !== this.generation)
      throw new ClientError(`The task is of generation ${generation}, but the connection is of ${this.generation}.`);
    this.#closing.signal.throwIfAborted();
    const follow = (line: Line): Promise<CallToolResult> =>
      this.#during(line, { ...options, tool, ...(progressToken !== undefined && { progressToken }) }, async (call) => {
        call.becomes(parsed);
        // One of another session does not need ours.
        if (line === this.#own) this.#unfinished.add(taskId);
        return await this.#follow(line, call, await line.adapter.task(taskId, call).get(call.signal));
      });
    const own = this.#own.connection.session;
    const session = sessionOf(parsed);
    if (session === undefined || session.id === own?.id) return follow(this.#own);
    return this.#joined.during(session, (line) => follow(line ?? this.#own));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { connection, adapter } = this.#own;
    this.#closing.abort(new ClientClosedError());
    // A call may still learn which task it has become, and an aborted one may be cancelling its task.
    await waitAtMost(CLOSE_GRACE_MS, Promise.allSettled(this.#running));
    await waitAtMost(CLOSE_GRACE_MS, connection.wire.delivered());
    await adapter.close();
    if (this.#unfinished.size === 0) await connection.endSession().catch(this.options.onError);
    await connection.close();
  }

  /** Runs one call. */
  async #during(line: Line, options: RunOptions, run: (call: ActiveCall) => Promise<CallToolResult>): Promise<CallToolResult> {
    this.#closing.signal.throwIfAborted();
    const call = new ActiveCall({ ...options, defaults: this.options.defaults, closing: this.#closing.signal });
    const stop = line.connection.notifications.listen((notification) => call.hear(notification));
    this.options.calls.add(call);
    const running = run(call).catch(async (error: unknown) => {
      throw await this.#failure(error, call, line.adapter);
    });
    this.#running.add(running);
    try {
      return await running;
    } finally {
      stop();
      this.#running.delete(running);
      this.options.calls.delete(call);
      call.end();
    }
  }

  async #follow({ adapter }: Line, call: ActiveCall, task: TaskSnapshot): Promise<CallToolResult> {
    const result = await followTask(adapter.task(task.taskId, call), task, call);
    this.#unfinished.delete(task.taskId);
    return result;
  }

  /** The reason with which the call rejects. A task that is no longer wanted is cancelled before. */
  async #failure(error: unknown, call: ActiveCall, adapter: GenerationAdapter): Promise<unknown> {
    const { reference } = call;
    if (call.isCancelled) return reference === undefined ? call.signal.reason : this.#cancel(reference, call, adapter);
    const failure = this.#closing.signal.aborted ? new ClientClosedError() : call.signal.aborted ? call.signal.reason : error;
    if (failure instanceof TaskFailedError || failure instanceof TaskCancelledError) this.#unfinished.delete(failure.taskId);
    else if (failure instanceof ClientError && reference !== undefined) failure.reference = reference;
    return failure;
  }

  /** @returns the reason with which the call rejects */
  async #cancel(reference: TaskReference, call: ActiveCall, adapter: GenerationAdapter): Promise<unknown> {
    const { taskId } = reference;
    try {
      await adapter.task(taskId, call).cancel();
      this.#unfinished.delete(taskId);
      return call.signal.reason;
    } catch (cause) {
      const failure = new CancelFailedError(`Task ${taskId} could not be cancelled and may continue.`, { cause });
      failure.reference = reference;
      return failure;
    }
  }

  #referenceTo(taskId: string, { tool, progressToken }: ActiveCall): TaskReference {
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

function sessionOf({ sessionId, protocolVersion }: TaskReference): Connection['session'] {
  return sessionId === undefined || protocolVersion === undefined ? undefined : { id: sessionId, protocolVersion };
}
