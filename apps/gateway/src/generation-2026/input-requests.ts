/**
 * What is asked of a client, in the words of this revision: it has neither the id of a URL elicitation nor
 * tasks of the client's own, so a request that offers those is asked without them.
 */
import type { InputAnswer, JsonObject } from '@longhaul/tasks';
import { inputAnswerOf } from '../generation-2025/input-answer.js';

/** A request to a client. */
export interface InputRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** Requests to a client, by their keys. */
export type InputRequests = Record<string, InputRequest>;

/** The requests that this revision has. */
const METHODS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/** Whether a client of this revision can be asked by the method. */
export function canBeAsked(method: string): boolean {
  return METHODS.has(method);
}

/** The requests as the client gets them. Those that it cannot be asked are left out. */
export function inputRequestsOf(asked: readonly (InputRequest & { readonly key: string })[]): InputRequests {
  return Object.fromEntries(asked.filter(({ method }) => canBeAsked(method)).map(({ key, ...request }) => [key, inputRequest(request)]));
}

export function inputRequest({ method, params }: InputRequest): InputRequest {
  const { task: _task, elicitationId: _elicitationId, ...rest } = params;
  return { method, params: rest };
}

/** What the client has answered a request with: an error when it does not have the shape which the request wants. */
export function answerTo(asked: InputRequest, result: unknown): InputAnswer {
  return inputAnswerOf(inputRequest(asked), { result });
}
