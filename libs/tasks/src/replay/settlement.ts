import type { Operation } from '../domain/operation-kinds.js';
import { TaskError } from '../errors.js';
import { resultOfChild } from './child-errors.js';
import { fromRecordedError } from './recorded-error.js';

/** The result of the author's `await` for a settled operation. */
export async function settlementOf(operation: Operation, key: string): Promise<unknown> {
  switch (operation.status) {
    case 'completed':
      return operation.value;
    case 'failed':
      throw fromRecordedError(operation.error, key);
    case 'answered': {
      const { answer, method } = operation;
      if ('response' in answer) return answer.response;
      throw new TaskError('INPUT_FAILED', `The client answered ${method} with an error: ${answer.error.message}`, answer.error);
    }
    case 'received':
      return operation.signal;
    case 'withdrawn':
      throw new TaskError('WAIT_WITHDRAWN', operation.reason);
    case 'fired':
      return undefined;
    case 'detached':
      return operation.taskId;
    case 'ended':
      return resultOfChild(operation);
    case 'pending':
    case 'created':
    case 'starting':
    case 'retrying':
    case 'scheduled':
      throw new RangeError(`Operation "${key}" is not settled.`);
  }
}
