/** Says what the workflow gets of a child that has ended. */
import type { ChildOutcome } from '../domain/child-events.js';
import { isJsonObject, type JsonObject } from '../domain/json.js';
import type { Spending } from '../domain/spending.js';
import { TaskError, type TaskErrorCode } from '../errors.js';

/** A child as its parent knows it. */
export interface EndedChild {
  readonly taskId: string;
  readonly tool: string;
  readonly outcome: ChildOutcome;
  readonly spent?: Spending;
}

/** The result of the child. @throws TaskError `CHILD_FAILED`, `CHILD_CANCELLED`, `CHILD_REFUSED`, `CHILD_LOST`, `CHILD_RESULT_TOO_LARGE` */
export function resultOfChild({ taskId, tool, outcome, spent }: EndedChild): JsonObject {
  const child = { taskId, tool, ...(spent !== undefined && { spent: { ...spent } }) };
  switch (outcome.kind) {
    case 'result': {
      const { result } = outcome;
      if (result['isError'] !== true) return result;
      throw new TaskError('CHILD_FAILED', `Tool "${tool}" has failed: ${textOf(result)}`, { ...child, result });
    }
    case 'error': {
      const { code, message, data } = outcome.error;
      const reason = isJsonObject(data) && typeof data['reason'] === 'string' ? { reason: data['reason'] } : {};
      throw new TaskError('CHILD_FAILED', `Tool "${tool}" has failed: ${message}`, { ...child, code, ...reason });
    }
    case 'cancelled': {
      const { reason } = outcome;
      const why = reason === undefined ? '' : `: ${reason}`;
      throw new TaskError('CHILD_CANCELLED', `The task of tool "${tool}" was cancelled${why}`, {
        ...child,
        ...(reason !== undefined && { reason }),
      });
    }
    case 'none': {
      const { code, message } = outcome;
      const isOurs = OWN.has(code as TaskErrorCode);
      throw new TaskError(isOurs ? (code as TaskErrorCode) : 'CHILD_REFUSED', message, { ...child, ...(!isOurs && { code }) });
    }
  }
}

/** Codes that say by themselves what is wrong with a child; others are the reason why it was refused. */
const OWN: ReadonlySet<TaskErrorCode> = new Set(['CHILD_LOST', 'CHILD_RESULT_TOO_LARGE']);

function textOf({ content }: JsonObject): string {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : 'its result is an error.';
}
