import type { TaskRunnerOptions } from '@longhaul/tasks';
import type { Logger } from 'pino';

/** Logs a line for each pass that ends: a warning with the stack when the tool has failed and is tried again. */
export function logPasses(logger: Logger): NonNullable<TaskRunnerOptions['onPass']> {
  return ({ job: { taskId, pass }, end, tookMs, thrown }) => {
    if (end === 'retrying') logger.warn({ taskId, pass, end, tookMs, err: thrown }, 'a tool failed and will be tried again');
    else logger.info({ taskId, pass, end, tookMs }, 'pass');
  };
}
