import type { CreateMessageRequestParams, ElicitRequestParams } from '@modelcontextprotocol/client';
import { InputFailedError } from './errors.js';
import { INPUT_METHODS, type InputContext, type InputHandlers, type InputRequest } from './input.js';
import { untilAborted } from './waits.js';

/**
 * Answers a request with the function for its kind, until the signal of the context is aborted.
 *
 * @throws InputFailedError if there is no such function, or it throws; the reason of the signal
 */
export async function askClient(handlers: InputHandlers, request: InputRequest, context: InputContext): Promise<unknown> {
  const { kind } = request;
  const { signal } = context;
  if (handlers[kind] === undefined)
    throw new InputFailedError(`The server asks for ${INPUT_METHODS[kind]}, but onInput has no function "${kind}".`);
  try {
    return await untilAborted(answer(handlers, request, context), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new InputFailedError(`onInput.${kind} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Async, so that what the function throws at once becomes a rejection as well. */
async function answer(handlers: InputHandlers, { kind, params }: InputRequest, context: InputContext): Promise<unknown> {
  if (kind === 'elicitation') return handlers.elicitation?.(params as ElicitRequestParams, context);
  if (kind === 'sampling') return handlers.sampling?.(params as CreateMessageRequestParams, context);
  return handlers.roots?.(context);
}
