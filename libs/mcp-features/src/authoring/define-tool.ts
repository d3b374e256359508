import type { JsonObject, RetryPolicy, TaskContext } from '@longhaul/tasks';
import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ClientCapability } from './client-capability.js';
import type { CheckedArguments, DurableTool, InlineTool, RequestContext, TaskOptions, Tool } from './tool.js';
import { describeIssues, errorResult, resultOfThrown, toCallToolResult } from './tool-result.js';

interface ToolSpecBase<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: Input;
  /** When given, the returned value is checked against it and sent as structured content. */
  readonly output?: Output;
  readonly annotations?: ToolAnnotations;
  /** Capabilities of the client without which the tool is neither listed nor run. Default: none. */
  readonly needs?: readonly ClientCapability[];
}

/** What a tool may return: a full result, a text, or the value of its output schema. */
export type ToolReturn<Output extends z.ZodObject> = CallToolResult | string | z.input<Output>;

/** A tool that runs within the request, in the gateway. */
export interface InlineToolSpec<Input extends z.ZodObject, Output extends z.ZodObject> extends ToolSpecBase<Input, Output> {
  readonly task?: 'forbidden';
  run(args: z.output<Input>, context: RequestContext): Promise<ToolReturn<Output>> | ToolReturn<Output>;
}

/** A tool that runs as a durable task, on a worker. */
export interface DurableToolSpec<Input extends z.ZodObject, Output extends z.ZodObject> extends ToolSpecBase<Input, Output>, TaskOptions {
  /** Whether a call without `task` is allowed (`optional`; it then waits for the task) or not. */
  readonly task: 'optional' | 'required';
  /** How often the workflow is tried when it throws. Default: once. */
  readonly retry?: RetryPolicy;
  run(args: z.output<Input>, context: TaskContext): Promise<ToolReturn<Output>>;
}

/** Defines a tool that answers within the request. A throw becomes a result with `isError`. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject = z.ZodObject>(
  spec: InlineToolSpec<Input, Output>,
): InlineTool;
/** Defines a tool whose function is a durable workflow: see `TaskContext` for what it may do. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject = z.ZodObject>(
  spec: DurableToolSpec<Input, Output>,
): DurableTool;
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  spec: InlineToolSpec<Input, Output> | DurableToolSpec<Input, Output>,
): Tool {
  return isDurable(spec) ? durableTool(spec) : inlineTool(spec);
}

type AnySpec<Input extends z.ZodObject, Output extends z.ZodObject> = InlineToolSpec<Input, Output> | DurableToolSpec<Input, Output>;

function isDurable<Input extends z.ZodObject, Output extends z.ZodObject>(
  spec: AnySpec<Input, Output>,
): spec is DurableToolSpec<Input, Output> {
  return spec.task === 'optional' || spec.task === 'required';
}

function inlineTool<Input extends z.ZodObject, Output extends z.ZodObject>(spec: InlineToolSpec<Input, Output>): InlineTool {
  const check = argumentsCheck(spec.input);
  return {
    name: spec.name,
    listing: listingOf(spec),
    needs: spec.needs ?? [],
    check,
    taskSupport: 'forbidden',
    async call(args, context) {
      const checked = check(args);
      if (!checked.ok) return errorResult(invalidArguments(spec.name, checked.message));
      try {
        return toCallToolResult(await spec.run(checked.value, context), spec.output);
      } catch (error) {
        return resultOfThrown(error);
      }
    },
  };
}

function durableTool<Input extends z.ZodObject, Output extends z.ZodObject>(spec: DurableToolSpec<Input, Output>): DurableTool {
  const { name, retry } = spec;
  const check = argumentsCheck(spec.input);
  return {
    name,
    listing: listingOf(spec),
    needs: spec.needs ?? [],
    check,
    taskSupport: spec.task,
    ...taskOptionsOf(spec),
    workflow: {
      name,
      ...(retry !== undefined && { retry }),
      async run(args, context) {
        const checked = check(args);
        if (!checked.ok) return errorResult(invalidArguments(name, checked.message)) as JsonObject;
        return toCallToolResult(await spec.run(checked.value, context), spec.output) as JsonObject;
      },
      resultOfFailure: ({ message }) => errorResult(message) as JsonObject,
    },
  };
}

function taskOptionsOf({ ttlMs, pollIntervalMs, maxRunMs, maxWaitMs, immediateResponse }: TaskOptions): TaskOptions {
  return {
    ...(ttlMs !== undefined && { ttlMs }),
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
    ...(maxRunMs !== undefined && { maxRunMs }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    ...(immediateResponse !== undefined && { immediateResponse }),
  };
}

function argumentsCheck<Input extends z.ZodObject>(input: Input): (args: unknown) => CheckedArguments<z.output<Input>> {
  return (args) => {
    const parsed = input.safeParse(args ?? {});
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false, message: describeIssues(parsed.error) };
  };
}

/** The text of the result that a call with wrong arguments gets. */
export function invalidArguments(tool: string, message: string): string {
  return `Invalid arguments for tool ${tool}: ${message}`;
}

function listingOf<Input extends z.ZodObject, Output extends z.ZodObject>(spec: AnySpec<Input, Output>): ListedTool {
  const { name, title, description, input, output, annotations, task } = spec;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input' }) as ListedTool['inputSchema'],
    ...(output !== undefined && { outputSchema: z.toJSONSchema(output) as NonNullable<ListedTool['outputSchema']> }),
    ...(annotations !== undefined && { annotations }),
    ...(task !== undefined && task !== 'forbidden' && { execution: { taskSupport: task } }),
  };
}
