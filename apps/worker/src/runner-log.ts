import { logTasks, type TaskId, type TaskRunnerOptions, withoutMessage } from '@longhaul/tasks';
import type { Logger } from 'pino';

/** Called with a task whose record does not fit the code of this worker, and with the difference. */
export type OnMisfit = (task: { readonly taskId: TaskId; readonly tool: string; readonly misfit: string }) => void;

/** How passes and tasks are logged. */
export interface RunnerLogOptions {
  readonly onMisfit?: OnMisfit | undefined;
  /** Leaves out the messages of tools and callers. */
  readonly hidesMessages: boolean;
}

/** Logs the passes and tasks of a process: a warning with the stack when a tool has failed. */
export function runnerLog(
  logger: Logger,
  { onMisfit = () => undefined, hidesMessages }: RunnerLogOptions,
): Required<Pick<TaskRunnerOptions, 'onGivenBack' | 'onPass' | 'onStuck' | 'onTask'>> {
  return {
    onGivenBack: ({ taskId, pass, tool, asked, misfit }) => {
      logger.info({ taskId, pass, tool, asked, misfit }, 'given back');
      if (misfit !== undefined) onMisfit({ taskId, tool, misfit });
    },
    onStuck: (stuck) =>
      logger.warn(stuck, 'a pass has recorded nothing for a minute; its worker has a place less while the named steps run'),
    onPass: ({ job: { taskId, pass }, end, tookMs, thrown }) => {
      if (end === 'retrying')
        logger.warn(
          { taskId, pass, end, tookMs, err: hidesMessages ? withoutMessage(thrown) : thrown },
          'a tool failed and will be tried again',
        );
      else logger.info({ taskId, pass, end, tookMs }, 'pass');
    },
    onTask: logTasks(logger, hidesMessages),
  };
}
