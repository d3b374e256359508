import type { Session } from '@longhaul/sessions/gateway';
import type { Logger } from 'pino';
import type { ClientRequests } from './requests/client-requests.js';
import { taskCallerOf } from '../rpc/caller.js';
import type { ReceivedResponse } from '../rpc/messages.js';
import { answerOrError, isMisfit } from '../rpc/tasks/client-response.js';
import type { InputIds } from './wire/input-ids.js';
import type { ScopedTasks } from '../rpc/tasks/scoped-tasks.js';

/** The parts that answers are received with. */
export interface ReceiveResponseDeps {
  readonly tasks: ScopedTasks;
  readonly inputIds: InputIds;
  readonly requests: ClientRequests;
  readonly logger: Logger;
}

/** Takes responses to the requests that tasks and features sent. */
export type ReceiveResponse = (response: ReceivedResponse, session: Session) => Promise<void>;

/**
 * Turns the client's response into the answer of a task's input, or gives it to the feature that waits for it. A response without a
 * matching request to this caller is dropped with a warning: a response gets no answer, so the client cannot receive an error. If the
 * answer does not fit the question, the question is asked again.
 */
export function createReceiveResponse({ tasks, inputIds, requests, logger }: ReceiveResponseDeps): ReceiveResponse {
  let ignored = 0; // Since the start of the process; many mean a faulty client, or an attack.
  return async ({ id, answer }, session) => {
    if (typeof id === 'string' && (await requests.receive(id, answer, session.id))) return;
    const input = id === undefined ? undefined : inputIds.inputOf(id);
    if (input === undefined) {
      ignored += 1;
      logger.warn({ ignored }, 'response to a request that was never sent');
      return;
    }
    const { taskId, key, refused } = input;
    try {
      const door = { via: 'streamable-http', refusedBefore: refused };
      if (await tasks.provideInput(taskId, key, (asked) => answerOrError(asked, answer), taskCallerOf(session), door)) return;
    } catch (error) {
      if (!isMisfit(error)) throw error;
      logger.info({ taskId, key, reason: error.message }, 'answer of a client refused');
      return;
    }
    ignored += 1;
    logger.warn({ taskId, key, ignored }, 'response to an input that is not pending');
  };
}
