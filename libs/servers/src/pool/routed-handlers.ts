import type { Asking, ServerHandlers } from '../connection/server-handlers.js';

/** The questions that a server may ask. */
export type QuestionHandlers = Pick<ServerHandlers, 'elicitation' | 'sampling' | 'roots' | 'capabilities'>;

/** One of those who share a connection. */
export interface Sharer {
  /** Answers what the server asks during its calls. */
  readonly handlers: QuestionHandlers;
  /** Whether a call is its own. */
  owns(callId: string): boolean;
}

/** Asks the sharer that made the call. @param handlers of any sharer: all can be asked the same */
export function routed(handlers: QuestionHandlers, sharers: ReadonlySet<Sharer>): ServerHandlers {
  const askerOf = ({ callId }: Asking): QuestionHandlers => {
    // What asks and is no call of a tool, such as a prompt, has no id.
    const only = sharers.size === 1 ? [...sharers][0] : undefined;
    const sharer = callId === undefined ? only : [...sharers].find((each) => each.owns(callId));
    if (sharer === undefined) throw new Error('It is not known which call asks.');
    return sharer.handlers;
  };
  const { elicitation, sampling, roots, capabilities } = handlers;
  const refuse = (): never => {
    throw new Error('The client cannot answer this.');
  };
  return {
    ...(capabilities !== undefined && { capabilities }),
    ...(elicitation !== undefined && {
      elicitation: async (params, asking) => (askerOf(asking).elicitation ?? refuse)(params, asking),
    }),
    ...(sampling !== undefined && { sampling: async (params, asking) => (askerOf(asking).sampling ?? refuse)(params, asking) }),
    ...(roots !== undefined && { roots: async (asking) => (askerOf(asking).roots ?? refuse)(asking) }),
  };
}

/** The capabilities that a server sees: the same for all who share a connection, because it must not ask what one of them cannot answer. */
export function offeredTo({ elicitation, sampling, roots, capabilities }: QuestionHandlers): string {
  const kinds = [elicitation, sampling, roots].map((handler) => handler !== undefined);
  return JSON.stringify([kinds, capabilities ?? null]);
}
