import { type Dispatcher, fetch, guardedAgent, namedNetwork } from './guarded-agent.js';

/** The signature of `fetch`, for any implementation. */
export type Fetch = typeof globalThis.fetch;

const CONNECT_MS = 10_000;

let dispatcher: Dispatcher | undefined;

/**
 * Fetches from a host that an operator has named. Any address is allowed, but those at which a cloud answers the machine about itself, also
 * when a name resolves to one. A connection must open within 10 s. There is no other time limit, because a model may read a long prompt, and
 * a tool may work, for many minutes. All requests share their connections, which keep no process alive.
 */
export const namedHostFetch: Fetch = async (input, init) => {
  dispatcher ??= guardedAgent(namedNetwork, CONNECT_MS).compose(
    (dispatch) => (options, handler) => dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  );
  // The types of undici and of Node say the same in different words.
  const request = { ...init, dispatcher } as unknown as Parameters<typeof fetch>[1];
  return fetch(input instanceof Request ? input.url : input, request) as Promise<unknown> as Promise<Response>;
};
