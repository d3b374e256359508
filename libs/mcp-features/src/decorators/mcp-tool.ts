import type { z } from 'zod';
import {
  type ArgumentsOf,
  defineTool,
  type DurableToolSpec,
  type InlineToolSpec,
  type InputSchema,
  type ToolReturn,
} from '../define-tool.js';
import type { RequestContext } from '../request-context.js';
import type { DurableContext } from '../tool.js';
import type { ToolParts } from '../tool-parts.js';
import { declaring, type FeatureMethod } from './declarations.js';
import { featureName, NO_ARGUMENTS, type NoArguments } from './feature-name.js';

interface OnMethod<Input extends InputSchema> {
  /** Default: the name of the method in kebab case, `look-up-order` for `lookUpOrder`. */
  readonly name?: string;
  /** Default: no arguments. */
  readonly input?: Input;
}

/** The options of `@McpTool` for a tool that runs within the request. */
export type InlineToolDecoration<Input extends InputSchema, Output extends z.ZodObject> = OnMethod<Input> &
  Omit<InlineToolSpec<Input, Output>, 'name' | 'input' | 'run'>;

/** The options of `@McpTool` for a tool that runs as a durable task. */
export type DurableToolDecoration<Input extends InputSchema, Output extends z.ZodObject> = OnMethod<Input> &
  Omit<DurableToolSpec<Input, Output>, 'name' | 'input' | 'run'>;

type Returned<Output extends z.ZodObject> = ToolReturn<Output> | ToolParts<ToolReturn<Output>>;

/** Makes a tool of a method, as `defineTool` does of a function. */
export function McpTool<Input extends InputSchema = NoArguments, Output extends z.ZodObject = z.ZodObject>(
  spec: InlineToolDecoration<Input, Output>,
): FeatureMethod<[args: ArgumentsOf<Input>, context: RequestContext], Returned<Output>>;
/** Makes a durable tool of a method, which is then a workflow: see `TaskContext` for what it may do. */
export function McpTool<Input extends InputSchema = NoArguments, Output extends z.ZodObject = z.ZodObject>(
  spec: DurableToolDecoration<Input, Output>,
): FeatureMethod<[args: ArgumentsOf<Input>, context: DurableContext], Returned<Output>>;
export function McpTool<Input extends InputSchema, Output extends z.ZodObject>(
  spec: InlineToolDecoration<Input, Output> | DurableToolDecoration<Input, Output>,
): FeatureMethod<[args: ArgumentsOf<Input>, context: DurableContext & RequestContext], Returned<Output>> {
  return declaring('McpTool', (method) => {
    const name = spec.name ?? featureName('McpTool', method);
    const input = spec.input ?? NO_ARGUMENTS;
    // Which of both kinds it is, is decided by `task`, here as in defineTool.
    return (run) => ({ kind: 'feature', define: () => defineTool({ ...spec, name, input, run } as DurableToolSpec<Input, Output>) });
  });
}
