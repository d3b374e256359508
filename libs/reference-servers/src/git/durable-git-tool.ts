import { defineTool, type DurableContext, type Tool } from '@longhaul/mcp-features';
import type { StepContext } from '@longhaul/tasks';
import type { z } from 'zod';
import { ToolFailure } from '../tool-results.js';
import { GitFailure } from './git-failure.js';
import { openRepository } from './open-repository.js';
import type { Repository } from './repository.js';

/** Makes the function of a step. It opens the repository again, because it may run on another worker than the step before. */
export type InRepository = <T>(run: (repository: Repository, step: StepContext) => Promise<T>) => (step: StepContext) => Promise<T>;

interface GitToolSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: NonNullable<Tool['listing']['annotations']>;
  run(args: z.output<Input>, context: DurableContext, inRepository: InRepository): Promise<string>;
}

/** The annotations of a tool that never changes anything. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** @returns annotations of what changes the repository */
export function writes(hints: { destructiveHint: boolean; idempotentHint: boolean }) {
  return { readOnlyHint: false, ...hints, openWorldHint: false };
}

/** A tool that runs on workers only, so that gateways need neither git nor the repositories. */
export function durableGitTool<Input extends z.ZodObject>(spec: GitToolSpec<Input>, roots: readonly string[]): Tool {
  const { name, description, input, annotations } = spec;
  return defineTool({
    name,
    description,
    input,
    annotations,
    task: 'optional',
    async run(args, context) {
      const { repo_path: path } = args as { readonly repo_path: string };
      const inRepository: InRepository = (run) => async (step) => {
        try {
          return await run(await openRepository({ path, roots, signal: step.signal }), step);
        } catch (error) {
          throw isForClient(error) ? new ToolFailure(name, error.message) : error;
        }
      };
      return spec.run(args as z.output<Input>, context, inRepository);
    },
  });
}

/** Errors of the file system reach the client as well, as in the reference server. */
function isForClient(error: unknown): error is Error {
  return error instanceof GitFailure || (error instanceof Error && 'syscall' in error);
}
