import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** The transport with each message changed before it is received. */
export function mapMessages<T extends Transport>(transport: T, change: (message: JSONRPCMessage) => JSONRPCMessage): T {
  let listener = transport.onmessage;
  return Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => listener,
    set(next: Transport['onmessage']) {
      listener = next && ((message: JSONRPCMessage, extra) => next(change(message), extra));
    },
  });
}
