/**
 * Describes a defined tool for the gateway and the worker. The gateway lists tools, checks arguments and runs inline tools; the worker runs
 * durable tools. Values that can be computed once are computed once.
 */
import type { CallOptions, JsonObject, KeyedTask, LimitOfKey, SharedLimit, Spending, TaskContext, TaskId, Workflow } from '@longhaul/tasks';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ClientContext } from './client-context.js';
import type { StatedNeeds } from './needs.js';
import type { HeaderParam } from './header-params.js';
import type { RequestContext } from './request-context.js';

/** The context of a durable tool: the recorded operations of its task, and the client operations of every feature. */
export type DurableContext = Omit<TaskContext, keyof ClientContext | 'call'> & ClientContext & { readonly call: CallTool };

/** Arguments after their check: the parsed value, or a text that names each wrong field. */
export type CheckedArguments<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

interface ToolBase extends StatedNeeds {
  readonly kind: 'tool';
  readonly name: string;
  /** The tool as `tools/list` shows it. */
  readonly listing: ListedTool;
  /** The arguments that clients send in headers as well. */
  readonly headerParams: readonly HeaderParam[];
  /** Checks arguments without running anything. */
  check(args: unknown): CheckedArguments<unknown>;
}

/** Runs in the gateway, within the request; cannot be called as a task. */
export interface InlineTool extends ToolBase {
  readonly taskSupport: 'forbidden';
  call(args: unknown, context: RequestContext): Promise<CallToolResult>;
}

/** How much of the tasks of a tool with one key runs, over all workers and callers. Others wait in the queue, in their order. */
export interface LimitByKeyOptions extends LimitOfKey {
  /**
   * The path of the argument that is the key, such as `customer.id`, or a function of the arguments. Tasks for which it gives neither a text,
   * a number nor a boolean have one key together. A function runs on workers, more than once for one task: it must be quick, and give the
   * same task the same key.
   */
  readonly key: string | ((args: JsonObject, task: KeyedTask) => unknown);
}

/** A tool's settings for its tasks. The server's defaults hold for missing settings. */
export interface TaskOptions {
  /** Retention for callers that name none, milliseconds from the creation. */
  readonly ttlMs?: number;
  /** How often callers should ask for the status, milliseconds. */
  readonly pollIntervalMs?: number;
  /** A task that has not ended this long after its creation fails, milliseconds. */
  readonly maxRunMs?: number;
  /** A task that has waited this long for an answer of its client fails, milliseconds. */
  readonly maxWaitMs?: number;
  /** The most that one task may spend, as it says with `context.spend`, with the tasks that it calls. @defaultValue any amount */
  readonly budget?: Spending;
  /** How many of its passes run at once, over all workers and callers; others wait. From 1. @defaultValue any number */
  readonly maxRunning?: number;
  /** A limit that it has together with other tools, such as all that call the same system. @defaultValue none */
  readonly sharedLimit?: SharedLimit;
  /** A limit that counts its tasks by a key of each, such as the account that they are for. @defaultValue none */
  readonly limit?: LimitByKeyOptions;
  /**
   * Whether its passes come before or after other passes of the same owner that wait for a worker, from -10 to 10: each point counts as a
   * minute of waiting. @defaultValue 0
   */
  readonly priority?: number;
  /**
   * Paths of the arguments by whose values operators find its tasks at once, such as `orderId` or `customer.id`: at most 8, each a text, a
   * number or a boolean. Only digests of the values are indexed. @defaultValue none
   */
  readonly searchable?: readonly string[];
  /**
   * How long a plain call of it waits before it is answered with its task, milliseconds. A client with a shorter limit of its own is
   * answered before that. @defaultValue what the deployment knows of the client
   */
  readonly handOverAfterMs?: number;
  /** What becomes of its task when the client of a plain call stops waiting. @defaultValue `LONGHAUL_ON_ABANDONED` */
  readonly onAbandoned?: 'continue' | 'cancel';
  /** A text that the model receives as soon as the task is created, so that it can continue while the task runs. */
  readonly immediateResponse?: string;
}

/** Runs as a task on a worker. */
export interface DurableTool extends ToolBase, TaskOptions {
  readonly taskSupport: 'optional' | 'required';
  readonly workflow: Workflow;
  /** Answers a plain call within the request, or leaves it to a task by returning nothing. */
  readonly attempt: ((args: JsonObject, context: RequestContext) => Promise<CallToolResult | undefined>) | undefined;
  /** Adds to the arguments what their caller has left out, whoever creates the task. */
  readonly complete: ((args: JsonObject) => JsonObject) | undefined;
  /** Says what is wrong with arguments that no client sends: those of an operator, a schedule or another task. */
  readonly problemOf: ((args: JsonObject) => string | undefined) | undefined;
  /** Whether only the request of a client can create its task. */
  readonly needsRequest: boolean;
  /** Completes the arguments, as they came, before the task is created for a request. */
  readonly prepare: ((args: JsonObject, context: RequestContext) => Promise<JsonObject>) | undefined;
}

/** A durable tool, with the types of its input and of its structured content. */
export interface TypedTool<Input, Output> extends DurableTool {
  /** Never there: TypeScript alone reads it. */
  readonly types?: { readonly input: Input; readonly output: Output };
}

/** The result of a tool. The content is structured as its output schema says, if it has one. */
export type CalledResult<Output> = unknown extends Output ? CallToolResult : CallToolResult & { readonly structuredContent: Output };

/**
 * Runs another durable tool of the deployment as a task of its own, for the same caller, and waits for its result without holding a worker:
 * a tool of a feature module, a tool of a proxied server, an agent. The tool is given by its object, with the types of its input and output,
 * or by its name.
 *
 * Failure semantics: that the task is to be created is recorded before it is created, under an id that follows from this call. So a crash
 * at any moment neither creates it twice nor forgets it. Its end is recorded once. When this task ends before, the other one is cancelled,
 * unless `onCancel` says `leave`.
 *
 * @returns the result of the tool as a client gets it; with `detach` the id of the task
 * @throws errors with these codes, and in `data` the id of the task and the name of its tool: `CHILD_FAILED`, `CHILD_CANCELLED`,
 *   `CHILD_REFUSED` when it was not created (`data.code` says why), `CHILD_LOST`, `CHILD_RESULT_TOO_LARGE`. Also `INVALID_KEY` and
 *   `NOT_SERIALIZABLE`
 */
export interface CallTool {
  <Input>(tool: TypedTool<Input, unknown>, input: Input, options: CallOptions & { readonly detach: true }): Promise<TaskId>;
  <Input, Output>(tool: TypedTool<Input, Output>, input: Input, options?: CallOptions): Promise<CalledResult<Output>>;
  (tool: string, input: JsonObject | undefined, options: CallOptions & { readonly detach: true }): Promise<TaskId>;
  (tool: string, input?: JsonObject, options?: CallOptions): Promise<CallToolResult>;
}

/** A defined tool. */
export type Tool = InlineTool | DurableTool;
