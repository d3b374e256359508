/** The host of the page: JSON-RPC over postMessage, as the specification of MCP Apps of 2026-01-26 says. */

/** @typedef {Readonly<Record<string, unknown>>} Params */
/** @typedef {{ readonly jsonrpc: '2.0', readonly id?: number | string, readonly method?: string, readonly params?: Params, readonly result?: unknown, readonly error?: { readonly code: number, readonly message: string } }} Message */
/** @typedef {{ request(method: string, params: Params): Promise<any>, notify(method: string, params: Params): void }} Host */

/**
 * @param {Readonly<Record<string, (params: any) => void>>} onNotification what is done with each notification of the host
 * @param {() => void} onTeardown before the host takes the page away
 * @returns {Host}
 */
export function connectHost(onNotification, onTeardown) {
  /** @type {Map<unknown, { resolve(value: unknown): void, reject(error: Error): void }>} */
  const waiting = new Map();
  let lastId = 0;
  /** @param {Omit<Message, 'jsonrpc'>} message */
  const send = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.addEventListener('message', ({ source, data }) => {
    // A page of another origin in the same window may send messages as well.
    if (source !== window.parent || data?.jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = /** @type {Message} */ (data);
    if (method === undefined) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(new Error(error.message));
    } else if (id === undefined) onNotification[method]?.(params ?? {});
    else if (method === 'ping') send({ id, result: {} });
    else if (method === 'ui/resource-teardown') {
      onTeardown();
      send({ id, result: {} });
    } else send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  });
  return {
    request(method, params) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    notify: (method, params) => send({ method, params }),
  };
}
