import { ProtocolError } from '@longhaul/mcp-features';
import type { Outcome, TaskId } from '@longhaul/tasks';
import { RpcCode } from '../rpc/errors.js';
import { withRelatedTask } from './related-task.js';

/**
 * What the request behind a task is answered with: the result, with the related task in its `_meta`,
 * or the error that the request ended with.
 *
 * The specification names no answer for a cancelled task. Nothing of the server went wrong, so it is
 * told like the other wrong states of a task, as -32602.
 *
 * @param taskId the related task; absent for one whose handle is not given out
 * @throws ProtocolError for a task that ended with an error or was cancelled
 */
export function answerOf(outcome: Outcome, taskId?: TaskId): Record<string, unknown> {
  switch (outcome.kind) {
    case 'result':
      return withRelatedTask(outcome.result, taskId);
    case 'error':
      throw new ProtocolError(outcome.error.code, outcome.error.message, outcome.error.data);
    case 'cancelled':
      throw new ProtocolError(RpcCode.InvalidParams, `Task was cancelled${outcome.reason === undefined ? '' : `: ${outcome.reason}`}`);
  }
}
