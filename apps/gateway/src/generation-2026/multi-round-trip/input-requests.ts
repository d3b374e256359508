/**
 * Converts requests to a client to this revision's form. The revision has neither the id of a URL elicitation nor tasks of the client's
 * own, so a request that offers them is sent without them.
 */
import { type AskedMethod, type InputAnswer, type JsonObject, missingCapability, type PendingInput, presentParams } from '@longhaul/tasks';
import { inputAnswerOf, isMisfit } from '../../rpc/tasks/client-response.js';

/** A request to a client. */
export interface InputRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** Requests to a client, by their keys. */
export type InputRequests = Record<string, InputRequest>;

/** The requests that this revision has. */
const METHODS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'] satisfies AskedMethod[]);

/** Whether a client of this revision can be asked by the method. */
export function canBeAsked(method: string): method is AskedMethod {
  return METHODS.has(method);
}

/**
 * The requests in the form that the client receives. Requests that it cannot answer are left out.
 *
 * @param capabilities declared by the present request: it may declare fewer than the request that created the task
 */
export function inputRequestsOf(asked: readonly PendingInput[], capabilities: JsonObject): InputRequests {
  const shown = asked.filter(({ method, params }) => canBeAsked(method) && missingCapability(capabilities, method, params) === undefined);
  return Object.fromEntries(shown.map((input) => [input.key, inputRequest({ method: input.method, params: presentParams(input) })]));
}

export function inputRequest({ method, params }: InputRequest): InputRequest {
  const { task: _task, elicitationId: _elicitationId, ...rest } = params;
  return { method, params: rest };
}

/** The client's answer to a request. @throws TaskError `ANSWER_DOES_NOT_FIT` */
export function answerTo(asked: InputRequest, result: unknown): InputAnswer {
  return inputAnswerOf(inputRequest(asked), { result });
}

/** The same answer, or its mistake, in a sentence. */
export function answerOrReason(asked: InputRequest, result: unknown): InputAnswer | { readonly reason: string } {
  try {
    return answerTo(asked, result);
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return { reason: error.message };
  }
}
