import type { z } from 'zod';
import { definePrompt, type PromptReturn, type PromptSpec } from '../define-prompt.js';
import type { RequestContext } from '../request-context.js';
import { declaring, type FeatureMethod } from './declarations.js';
import { featureName, type NoArguments } from './feature-name.js';

/** The options of `@McpPrompt`. Completions are methods as well: see `McpComplete`. */
export interface PromptDecoration<Arguments extends z.ZodObject> extends Omit<PromptSpec<Arguments>, 'name' | 'complete' | 'run'> {
  /** Default: the name of the method in kebab case, `write-letter` for `writeLetter`. */
  readonly name?: string;
}

/** The name of the prompt to which a method adds. */
export function promptLabel(name: string): string {
  return `prompt "${name}"`;
}

/** Makes a prompt of a method, as `definePrompt` does of a function. */
export function McpPrompt<Arguments extends z.ZodObject = NoArguments>(
  spec: PromptDecoration<Arguments>,
): FeatureMethod<[args: z.output<Arguments>, context: RequestContext], PromptReturn> {
  return declaring('McpPrompt', (method) => {
    const name = spec.name ?? featureName('McpPrompt', method);
    const target = { label: promptLabel(name), arguments: Object.keys(spec.arguments?.shape ?? {}) };
    return (run) => ({
      kind: 'feature',
      target,
      define: ({ completers }) => definePrompt({ ...spec, name, run, complete: completers }),
    });
  });
}
