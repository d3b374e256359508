import type { TaskContext } from '../replay/task-context.js';
import type { Workflow } from '../replay/workflow.js';

/** Counts the functions of the steps of a workflow, while they run and each time that one did. */
export class StepWatch {
  /** How often each was begun, by the key of the step. */
  readonly begun = new Map<string, number>();
  private readonly present = new Map<object, string>();

  constructor(private readonly onChange: () => void) {}

  /** Keys of those that run. */
  get running(): readonly string[] {
    return [...this.present.values()];
  }

  /** Forgets those that run: their process has died. */
  forgetRunning(): void {
    this.present.clear();
  }

  /** The workflow, watched. @param prefix of the names of its steps, for a workflow that another one has called */
  watch(workflow: Workflow, prefix = ''): Workflow {
    return withStep(workflow, (context) => this.watched(context, prefix));
  }

  private watched(context: TaskContext, prefix: string): TaskContext['step'] {
    return (name, run, options) =>
      context.step(
        name,
        async (given) => {
          const key = prefix + given.idempotencyKey.slice(context.taskId.length + 1);
          const token = {};
          this.begun.set(key, (this.begun.get(key) ?? 0) + 1);
          this.present.set(token, key);
          this.onChange();
          try {
            return await run(given);
          } finally {
            this.present.delete(token);
            this.onChange();
          }
        },
        options,
      );
  }
}

/** The workflow, with the steps that `stepOf` makes of its context. */
export function withStep(workflow: Workflow, stepOf: (context: TaskContext) => TaskContext['step']): Workflow {
  return {
    ...workflow,
    run(args, context) {
      // The signal is a getter, and stays one.
      const copy: object = Object.defineProperties({}, Object.getOwnPropertyDescriptors(context));
      const watched = stepOf(context);
      // What is no function is refused by the engine.
      const step: TaskContext['step'] = (name, body, options) =>
        typeof body === 'function' ? watched(name, body, options) : context.step(name, body, options);
      const given = Object.defineProperty(copy, 'step', { value: step, enumerable: true });
      return workflow.run(args, given as TaskContext);
    },
  };
}
