import {
  type CallOptions,
  checkRetryPolicy,
  type InterruptedTask,
  type JsonObject,
  requireObject,
  type RetryPolicy,
  type TaskContext,
  thrownText,
  unwrapped,
} from '@longhaul/tasks';
import type { CallToolResult, ContentBlock, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { checkArguments } from './check-arguments.js';
import { withClientContext } from './client-context.js';
import { madeOf } from './feature-code.js';
import { type Needs, statedNeeds } from './needs.js';
import { type FeatureScope, inFeature } from './feature-scope.js';
import { type HeaderParam, headerParamsOf } from './header-params.js';
import type { RequestContext } from './request-context.js';
import { jsonSchemaOf, requireInputSchema, requireZodObject } from './require-schema.js';
import { limitByKey, requireLimitByKey, requireMaxRunning } from './limit-by-key.js';
import { omitUndefined } from './omit-undefined.js';
import { requireSearchable } from './searchable.js';
import { requireTimes } from './task-times.js';
import type { CallTool, CheckedArguments, DurableContext, DurableTool, InlineTool, TaskOptions, Tool, TypedTool } from './tool.js';
import { collectedParts, replayedParts, type ToolParts } from './tool-parts.js';
import { errorResult, resultOfThrown, toCallToolResult } from './tool-result.js';
import { withUrlsOpened } from './with-urls-opened.js';
import { asWorkflow } from './workflow-guard.js';

/** A JSON Schema of arguments, for input that a zod schema cannot describe. */
export type RawSchema = ListedTool['inputSchema'];

/** The schema of a tool's arguments. */
export type InputSchema = z.ZodObject | RawSchema;

/** The arguments that a tool gets: checked by its zod schema, or just as they came where it has a raw schema. */
export type ArgumentsOf<Input extends InputSchema> = Input extends z.ZodObject ? z.output<Input> : JsonObject;

interface ToolSpecBase<Input extends InputSchema, Output extends z.ZodObject>
  extends Needs, Pick<ListedTool, 'title' | 'annotations' | 'icons' | '_meta'> {
  readonly name: string;
  readonly description: string;
  /** A zod schema; or a JSON Schema, which is listed as it is and which the tool checks its arguments by itself. */
  readonly input: Input;
  /** When given, the returned value is checked against it and sent as structured content. */
  readonly output?: Output;
}

/** The arguments that a caller of a tool gives. */
export type InputOf<Input extends InputSchema> = Input extends z.ZodObject ? z.input<Input> : JsonObject;

/** The return value of a tool: a full result, content, a text, the value of its output schema, or any other JSON value. */
export type ToolReturn<Output extends z.ZodObject> = CallToolResult | readonly ContentBlock[] | string | number | boolean | z.input<Output>;

/** A result that comes later, or in parts. A durable tool makes parts only with an async generator: see {@link ToolParts}. */
type InParts<Output extends z.ZodObject> = Promise<ToolReturn<Output> | ToolParts<ToolReturn<Output>>> | ToolParts<ToolReturn<Output>>;

/** A tool that runs within the request, in the gateway. */
export interface InlineToolSpec<Input extends InputSchema, Output extends z.ZodObject> extends ToolSpecBase<Input, Output> {
  readonly task?: 'forbidden';
  run(args: ArgumentsOf<Input>, context: RequestContext): InParts<Output> | ToolReturn<Output>;
}

/** A tool that runs as a durable task, on a worker. */
export interface DurableToolSpec<Input extends InputSchema, Output extends z.ZodObject> extends ToolSpecBase<Input, Output>, TaskOptions {
  /**
   * It always runs as a task. A call without `task` waits for the task, also with `required`. With `LONGHAUL_STRICT_TASKS` the gateway
   * lists and serves such tools as `required`, and ordinary clients cannot call them.
   */
  readonly task: 'optional' | 'required';
  /** How often the workflow is tried when it throws. Default: once. */
  readonly retry?: RetryPolicy;
  /** Adds what callers may leave out of the arguments, before the task is created: by a request, an operator, a schedule or another task. */
  complete?(args: JsonObject): JsonObject;
  /**
   * Says what is wrong with arguments that come from no client's request, but from an operator, a schedule or another task: for a tool with a
   * raw schema, which would find it only when it runs. They are complete.
   */
  problemOf?(args: JsonObject): string | undefined;
  /**
   * Runs within the request, before the task is created, and completes its arguments: it may ask the client for what the
   * caller left out. Nothing of it is recorded but what it returns, which has at most 8 MiB of JSON; with more the call is refused.
   */
  prepare?(args: JsonObject, context: RequestContext): Promise<JsonObject> | JsonObject;
  /**
   * Tries to answer a plain call within the request, before there is a task: for work that is nearly always done in a moment and may be done
   * again. Without a result the call becomes a task, whose workflow does all of it. It is not tried for a call that asks for a task, a key or a
   * webhook. It must be short: nothing of it is recorded, and it is lost with its gateway.
   */
  attempt?(args: JsonObject, context: RequestContext): Promise<CallToolResult | undefined>;
  run(args: ArgumentsOf<Input>, context: DurableContext): InParts<Output>;
  /**
   * Ends work that a task has begun elsewhere, such as a task of another server. It runs on a worker, at least once, after the task was
   * cancelled, ran out of time or failed. When it throws it runs again later, until the history of the task has expired.
   */
  cleanUp?(task: InterruptedTask): Promise<void>;
}

/** Defines a tool that answers within the request. A throw becomes a result with `isError`. @throws TypeError for a schema that it cannot have */
export function defineTool<Input extends InputSchema, Output extends z.ZodObject = z.ZodObject>(
  spec: InlineToolSpec<Input, Output>,
): InlineTool;
/**
 * Defines a tool with a durable workflow as its function. `TaskContext` has its operations. @throws TypeError for a schema that it cannot
 * have, RangeError for an invalid time
 */
export function defineTool<Input extends InputSchema, Output extends z.ZodObject = z.ZodObject>(
  spec: DurableToolSpec<Input, Output>,
): TypedTool<InputOf<Input>, z.output<Output>>;
export function defineTool<Input extends InputSchema, Output extends z.ZodObject>(
  spec: InlineToolSpec<Input, Output> | DurableToolSpec<Input, Output>,
): Tool {
  const owner = `Tool ${spec.name}`;
  requireInputSchema(owner, spec.input);
  if (isDurable(spec)) {
    requireMaxRunning(`${owner}: maxRunning`, spec.maxRunning);
    requireMaxRunning(`${owner}: sharedLimit.maxRunning`, spec.sharedLimit?.maxRunning);
    requireLimitByKey(`${owner}: limit`, spec.limit);
    requireOnAbandoned(owner, spec.onAbandoned);
    requireTimes(owner, spec);
    if (spec.retry !== undefined) checkRetryPolicy(`${owner}: retry`, spec.retry);
  }
  if (spec.output !== undefined) requireZodObject(owner, 'output', spec.output);
  return madeOf(isDurable(spec) ? durableTool(spec) : inlineTool(spec), spec);
}

type AnySpec<Input extends InputSchema, Output extends z.ZodObject> = InlineToolSpec<Input, Output> | DurableToolSpec<Input, Output>;

function isDurable<Input extends InputSchema, Output extends z.ZodObject>(
  spec: AnySpec<Input, Output>,
): spec is DurableToolSpec<Input, Output> {
  return spec.task === 'optional' || spec.task === 'required';
}

/** The definition of an inline or durable tool. */
function descriptionOf<Input extends InputSchema, Output extends z.ZodObject>(spec: AnySpec<Input, Output>) {
  const listing = listingOf(spec);
  return {
    kind: 'tool',
    name: spec.name,
    listing,
    headerParams: headerParamsIn(listing),
    ...statedNeeds(spec),
    check: argumentsCheck(spec.input),
  } as const;
}

function inlineTool<Input extends InputSchema, Output extends z.ZodObject>(spec: InlineToolSpec<Input, Output>): InlineTool {
  const { name } = spec;
  const what = `Tool ${name}`;
  const described = descriptionOf(spec);
  const { check } = described;
  return {
    ...described,
    taskSupport: 'forbidden',
    async call(args, context) {
      const checked = check(args);
      if (!checked.ok) return errorResult(invalidArguments(name, checked.message));
      try {
        const run = async (): Promise<unknown> => collectedParts(what, await spec.run(checked.value, context), context);
        return toCallToolResult(what, await inFeature({ kind: 'tool', name }, run), spec.output);
      } catch (error) {
        return resultOfThrown(what, error);
      }
    },
  };
}

function durableTool<Input extends InputSchema, Output extends z.ZodObject>(spec: DurableToolSpec<Input, Output>): DurableTool {
  const { name, retry, maxRunning, sharedLimit } = spec;
  const limit = spec.limit && limitByKey(spec.limit);
  const what = `Tool ${name}`;
  const described = descriptionOf(spec);
  requireSearchable(what, spec.searchable, described.listing.inputSchema);
  const { check } = described;
  return {
    ...described,
    taskSupport: spec.task,
    attempt:
      spec.attempt === undefined
        ? undefined
        : async (args, context) => {
            try {
              return await inFeature({ kind: 'tool', name }, async () => spec.attempt?.(args, context));
            } catch (error) {
              return resultOfThrown(what, error);
            }
          },
    complete: spec.complete && ((args) => inFeature({ kind: 'tool', name }, () => spec.complete?.(args)) ?? args),
    problemOf: spec.problemOf && ((args) => inFeature({ kind: 'tool', name }, () => spec.problemOf?.(args))),
    needsRequest: spec.prepare !== undefined,
    prepare: preparing(spec),
    ...taskOptionsOf(spec),
    workflow: {
      name,
      ...omitUndefined({ retry, maxRunning, sharedLimit, limit }),
      async run(args, context) {
        const checked = check(args);
        if (!checked.ok) return errorResult(invalidArguments(name, checked.message)) as JsonObject;
        const scope: FeatureScope = { kind: 'tool', name, taskId: context.taskId };
        const given = durableContext(unwrapped(context), scope, check);
        const run = (): Promise<unknown> =>
          asWorkflow(name, given, async (guarded) => {
            const whole = askingBeyond(guarded, context);
            return replayedParts(what, await spec.run(checked.value, whole), guarded);
          });
        const value = await inFeature(scope, () => withUrlsOpened(context, run));
        return toCallToolResult(what, value, spec.output) as JsonObject;
      },
      resultOfFailure: (error) => errorResult(thrownText(error)) as JsonObject,
      ...(spec.cleanUp !== undefined && {
        cleanUp: (task) => inFeature({ kind: 'tool', name, taskId: task.taskId }, async () => spec.cleanUp?.(task)),
      }),
    },
  };
}

function preparing<Input extends InputSchema, Output extends z.ZodObject>(spec: DurableToolSpec<Input, Output>): DurableTool['prepare'] {
  const { name } = spec;
  if (spec.complete === undefined && spec.prepare === undefined) return undefined;
  return (args, context) =>
    inFeature({ kind: 'tool', name }, async () => {
      const whole = spec.complete?.(args) ?? args;
      return (await spec.prepare?.(whole, context)) ?? whole;
    });
}

/** The context, which asks the engine's for what it does not have: the engine notes what its version lacks. */
function askingBeyond(given: DurableContext, engine: TaskContext): DurableContext {
  return new Proxy(given, {
    get: (target, name) => (name in target ? (Reflect.get(target, name) as unknown) : (Reflect.get(engine, name) as unknown)),
  });
}

/** @param check of the arguments that a run begins with: wrong ones are reported where they are given, not in the next run */
function durableContext(context: TaskContext, scope: FeatureScope, check: DurableTool['check']): DurableContext {
  // Steps start when the pass allows it, from its own code; their functions still belong to the feature.
  const step: TaskContext['step'] = (name, run, options) =>
    // What is no function is refused by the engine.
    context.step(name, typeof run === 'function' ? (given) => inFeature(scope, () => run(given)) : run, options);
  return Object.assign(withClientContext(context), {
    step,
    call: callBy(context),
    continueAsNew: async (args: JsonObject) => {
      requireObject('continueAsNew', 'the arguments', args);
      const checked = check(args);
      if (!checked.ok) throw new TypeError(`continueAsNew: ${invalidArguments(scope.name, checked.message)}`);
      return context.continueAsNew(args);
    },
  });
}

/** A tool that is given by its object is called by its name: any worker may run its task. */
function callBy(context: TaskContext): CallTool {
  const call = (tool: string | DurableTool, input?: JsonObject, options?: CallOptions): Promise<unknown> =>
    context.call(typeof tool === 'object' && tool !== null ? tool.name : tool, input, options);
  return call as CallTool;
}

function taskOptionsOf(options: TaskOptions): TaskOptions {
  const { ttlMs, pollIntervalMs, maxRunMs, maxWaitMs, handOverAfterMs, ...others } = options;
  const { budget, maxRunning, sharedLimit, limit, priority, searchable, onAbandoned, immediateResponse } = others;
  const times = { ttlMs, pollIntervalMs, maxRunMs, maxWaitMs, handOverAfterMs };
  return omitUndefined({ ...times, budget, maxRunning, sharedLimit, limit, priority, searchable, onAbandoned, immediateResponse });
}

function requireOnAbandoned(owner: string, onAbandoned: string | undefined): void {
  if (onAbandoned !== undefined && onAbandoned !== 'continue' && onAbandoned !== 'cancel')
    throw new TypeError(`${owner}: onAbandoned must be 'continue' or 'cancel', and is ${JSON.stringify(onAbandoned)}.`);
}

function argumentsCheck<Input extends InputSchema>(input: Input): (args: unknown) => CheckedArguments<ArgumentsOf<Input>> {
  return (args) =>
    isZod(input)
      ? (checkArguments(input, args ?? {}) as CheckedArguments<ArgumentsOf<Input>>)
      : { ok: true, value: (args ?? {}) as ArgumentsOf<Input> };
}

function isZod(input: InputSchema): input is z.ZodObject {
  return 'safeParse' in input;
}

/** The text of the result that a call with wrong arguments gets. */
export function invalidArguments(tool: string, message: string): string {
  return `Invalid arguments for tool ${tool}: ${message}`;
}

function listingOf<Input extends InputSchema, Output extends z.ZodObject>(spec: AnySpec<Input, Output>): ListedTool {
  const { name, title, description, input, output, annotations, icons, task = 'forbidden', _meta } = spec;
  return omitUndefined({
    name,
    title,
    description,
    inputSchema: (isZod(input) ? jsonSchemaOf(`Tool ${name}: "input"`, input, 'input') : input) as RawSchema,
    outputSchema: output && (jsonSchemaOf(`Tool ${name}: "output"`, output, 'output') as NonNullable<ListedTool['outputSchema']>),
    annotations,
    execution: task === 'forbidden' ? undefined : { taskSupport: task },
    icons,
    _meta,
  });
}

/** @throws RangeError for a tool that clients would leave out */
function headerParamsIn({ name, inputSchema }: ListedTool): readonly HeaderParam[] {
  try {
    return headerParamsOf(inputSchema);
  } catch (error) {
    throw new RangeError(`Tool ${name}: ${(error as Error).message}`, { cause: error });
  }
}
