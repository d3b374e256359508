import { fetch, guardedAgent, systemNetwork } from '@longhaul/runtime/guarded-agent';
const CONNECT_MS = 10_000;
let dispatcher;
/**
 * Fetches from an endpoint, which an operator has named: any address, a connection within 10 s, and no other time limits, as a
 * model may read a long prompt for many minutes. All requests share their connections, which keep no process alive.
 */
export const endpointFetch = async (input, init) => {
    dispatcher ??= guardedAgent(systemNetwork(true), CONNECT_MS).compose((dispatch) => (options, handler) => dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler));
    // The types of undici and of Node say the same in different words.
    const request = { ...init, dispatcher };
    return fetch(input instanceof Request ? input.url : input, request);
};
//# sourceMappingURL=endpoint-fetch.js.map