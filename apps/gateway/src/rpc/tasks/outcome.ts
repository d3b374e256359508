import { ProtocolError } from '@longhaul/mcp-features';
import type { JsonObject, Outcome } from '@longhaul/tasks';
import { RpcCode } from '../errors.js';

/**
 * The answer to the original request of a task: the result, or the error that the request ended with.
 *
 * The specification defines no answer for a cancelled task. The server made no mistake, so the answer is -32602, as for other wrong states
 * of a task.
 *
 * @throws ProtocolError for a task that ended with an error or was cancelled
 */
export function answerOf(outcome: Outcome): JsonObject {
  switch (outcome.kind) {
    case 'result':
      return outcome.result;
    case 'error':
      throw new ProtocolError(outcome.error.code, outcome.error.message, outcome.error.data);
    case 'cancelled':
      throw new ProtocolError(RpcCode.InvalidParams, `Task was cancelled${outcome.reason === undefined ? '' : `: ${outcome.reason}`}`);
  }
}
