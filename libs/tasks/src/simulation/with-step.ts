import type { TaskContext } from '../replay/task-context.js';
import type { Workflow } from '../replay/workflow.js';

/** The workflow, with the steps that `stepOf` makes of its context. */
export function withStep(workflow: Workflow, stepOf: (context: TaskContext) => TaskContext['step']): Workflow {
  return {
    ...workflow,
    run(args, context) {
      // The signal is a getter, and stays one.
      const copy: object = Object.defineProperties({}, Object.getOwnPropertyDescriptors(context));
      const given = Object.defineProperty(copy, 'step', { value: stepOf(context), enumerable: true });
      return workflow.run(args, given as TaskContext);
    },
  };
}
