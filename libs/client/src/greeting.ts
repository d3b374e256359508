/**
 * Lets a client continue a session of protocol version 2025-11-25 that has begun elsewhere: its first messages are answered with what the
 * server said then. The server must not hear them a second time.
 */
import {
  type Client,
  type Implementation,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
  type ServerCapabilities,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Generation } from './generation.js';

/** What a server has said of itself at the beginning of its session. Plain JSON. */
export interface Greeting {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** A connected client. */
interface Introduced {
  readonly client: Client;
  readonly generation: Generation;
}

/** What the server of this client has said; nothing in protocol version 2026-07-28, which has no such beginning. */
export function greetingOf({ client, generation }: Introduced): Greeting | undefined {
  const [protocolVersion, serverInfo] = [client.getNegotiatedProtocolVersion(), client.getServerVersion()];
  if (generation !== '2025-11-25' || protocolVersion === undefined || serverInfo === undefined) return undefined;
  const instructions = client.getInstructions();
  return {
    protocolVersion,
    capabilities: client.getServerCapabilities() ?? {},
    serverInfo,
    ...(instructions !== undefined && { instructions }),
  };
}

/** The same transport, for a session that has begun with this greeting. */
export function greeted<T extends Transport>(transport: T, greeting: Greeting): T {
  const send = transport.send.bind(transport);
  const answer = (id: string | number, rest: object): void =>
    queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id, ...rest } as JSONRPCMessage));
  let hasBegun = false;
  // The SDK's client does not begin a session that has an id already, and then knows nothing of the server.
  if (transport.sessionId !== undefined) {
    const { sessionId } = transport;
    Object.defineProperty(transport, 'sessionId', { configurable: true, get: () => (hasBegun ? sessionId : undefined) });
  }
  transport.send = async (message, options) => {
    if (hasBegun) return send(message, options);
    if (isJSONRPCRequest(message) && message.method === 'initialize') return answer(message.id, { result: greeting });
    if (isJSONRPCRequest(message) && message.method === 'server/discover')
      return answer(message.id, { error: { code: METHOD_NOT_FOUND, message: 'The session is of protocol version 2025-11-25.' } });
    if (isJSONRPCNotification(message) && message.method === 'notifications/initialized') {
      hasBegun = true;
      return;
    }
    return send(message, options);
  };
  return transport;
}
