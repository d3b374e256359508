import type { Json, JsonObject, Progress, RowStatus } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { CalledResult, Tool, TypedTool } from '../tool.js';

/** The id of a started task, with the type of its structured content. */
export type StartedTask<Output = unknown> = string & { readonly types?: { readonly output: Output } };

/** Where tasks are started. One of `redis`, `dataFile` and `url` is needed. */
export interface StarterOptions {
  /** The URL of the deployment's Redis. */
  readonly redis?: string;
  /** The path of the deployment's data file: `longhaul.db` in its data folder. */
  readonly dataFile?: string;
  /** The URL of the operator API, such as `http://operator:3010`. */
  readonly url?: string;
  /** For `url`: a token of `LONGHAUL_OPS_TOKENS` with the role `start`. */
  readonly token?: string;
  /**
   * The name of your application, which the records of tasks and the audit log have: 1 to 64 letters, digits, dots, dashes, underscores, or @.
   * With `url` it is the name of the token. @defaultValue `application`
   */
  readonly name?: string;
  /** Whose tasks are started and read where a call names no owner. @defaultValue `service:` and the name */
  readonly owner?: string;
  /** For `redis` and `dataFile`: the durable tools that can be started by their names. */
  readonly tools?: readonly Tool[];
  /**
   * For `redis` and `dataFile`: the variables of the deployment, as its gateways have them: keys, key prefix, limits, tenants, webhooks.
   * @defaultValue `process.env`
   */
  readonly settings?: NodeJS.ProcessEnv;
  /** Called with errors that no call can report. @defaultValue a warning of the process */
  readonly onError?: (error: unknown) => void;
}

/** Whose task it is. */
export interface OwnerOptions {
  /** @defaultValue the owner of the starter */
  readonly owner?: string;
}

/** How a task is started. */
export interface StartOptions extends OwnerOptions {
  /** Of the same owner and application, one task has this key, over all processes and for a day after its record is gone; at most 256 bytes. */
  readonly idempotencyKey?: string;
  /** How long the record of the task is kept, from its creation, milliseconds. @defaultValue as its tool says */
  readonly ttl?: number;
  /** Whether it comes before or after other tasks of its owner, from -10 to 10. @defaultValue as its tool says */
  readonly priority?: number;
}

/** How a result is waited for. */
export interface ResultOptions extends OwnerOptions {
  /** How long to wait, milliseconds. 0 only looks. @defaultValue until the task ends */
  readonly timeoutMs?: number;
  /** Aborting it ends the wait; the task continues. */
  readonly signal?: AbortSignal;
}

/** How a signal is sent. */
export interface SignalOptions extends OwnerOptions {
  /** Of several signals of a name with one id, the task takes one. @defaultValue each is a signal of its own */
  readonly id?: string;
}

/** How a task is cancelled. */
export interface CancelOptions extends OwnerOptions {
  /** Recorded, at most 1 KiB. */
  readonly reason?: string;
}

/** A task at this moment. Times are ISO 8601. */
export interface TaskStanding {
  readonly taskId: string;
  readonly tool: string;
  readonly status: RowStatus;
  /** What it says of itself, or how it ended. */
  readonly message?: string;
  readonly progress?: Progress;
  /** What its tool shows with `context.expose`. */
  readonly exposed?: Json;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
}

/**
 * Starts durable tools for another program, and follows their tasks. A task of another owner looks like a missing one.
 *
 * Every method throws a StarterError with a `code`; `STARTER_CLOSED` after `close`.
 */
export interface Starter {
  /**
   * Starts a tool. The promise resolves when the task is recorded: from then on it runs on the deployment's workers, also if this process
   * dies. `prepare` and `attempt` of the tool do not run: give the whole input.
   *
   * Failure semantics: after an error or a crash the task may have been started. With an `idempotencyKey`, call again: the task that was
   * started is found, and there is never a second one, over any number of processes.
   *
   * @throws StarterError `NO_SUCH_TOOL`, `NOT_A_TASK`, `INVALID_ARGUMENTS`, `NEEDS_CLIENT`, `INVALID_OPTIONS`; `TOO_MANY_TASKS`,
   *   `TOO_MANY_CREATIONS`, `TOO_MANY_BYTES`, `QUEUE_FULL`, `IDEMPOTENCY_MISMATCH`, `IDEMPOTENCY_KEY_SPENT`, `STORE_UNAVAILABLE`, `STORE_FULL`
   */
  start<Input, Output>(tool: TypedTool<Input, Output>, input: Input, options?: StartOptions): Promise<StartedTask<Output>>;
  start(tool: string, input?: JsonObject, options?: StartOptions): Promise<StartedTask>;

  /**
   * Waits for the result of a task, in any process, also one that was started long ago. While the store or the API is away it keeps waiting.
   *
   * @throws TaskFailedError, also for an error result of the tool; TaskCancelledError; TaskNotFoundError, also when the record expires during
   *   the wait; ResultTimeoutError; the reason of `signal`
   */
  result<Output>(task: StartedTask<Output>, options?: ResultOptions): Promise<CalledResult<Output>>;
  result(taskId: string, options?: ResultOptions): Promise<CallToolResult>;

  /** The task at this moment. @throws TaskNotFoundError */
  status(taskId: string, options?: OwnerOptions): Promise<TaskStanding>;

  /**
   * Sends a signal, which a `waitFor` of the tool takes. The promise resolves when it is recorded.
   *
   * @returns false when one with the same id was taken before
   * @throws TaskNotFoundError; StarterError `TASK_ENDED`, `SIGNAL_DOES_NOT_FIT` with the field in `data`, `TOO_MANY_SIGNALS`
   */
  signal(taskId: string, name: string, value: Json, options?: SignalOptions): Promise<boolean>;

  /** Cancels a task: it has ended when the promise resolves. @returns false when it had ended before @throws TaskNotFoundError */
  cancel(taskId: string, options?: CancelOptions): Promise<boolean>;

  /**
   * Ends what waits for results, waits for all other calls, and disconnects; afterwards nothing keeps the process alive. Tasks continue. May
   * be repeated.
   */
  close(): Promise<void>;
}
