import { TaskError } from '../errors.js';
import type { Workflow } from '../replay/workflow.js';

/** For a tool that this worker lacks: during a rolling deployment another worker may have it, so it is retried. */
export function unknownTool(name: string): Workflow {
  return {
    name,
    retry: { attempts: 5, initialMs: 2_000 },
    run: async () => {
      throw new TaskError('UNKNOWN_TOOL', `This worker has no tool named "${name}".`);
    },
    resultOfFailure: ({ message }) => ({ isError: true, content: [{ type: 'text', text: message }] }),
  };
}
