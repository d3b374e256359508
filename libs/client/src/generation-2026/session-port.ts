/**
 * Connects the tasks extension's own client package to this library's requests. It knows the rounds of a call that needs input before it is
 * answered, frames the extension's requests and checks their results. One of its two retries, for retryable `DispatchError`s, is never
 * used: the connection has already repeated the requests that it may repeat, and a `tools/call` is not one of them.
 */
import { type ConnectedMcpSessionPort, DispatchError, type JsonRpcResponse } from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core';
import type { Connection, Request } from '../connection.js';
import { RpcError } from '../errors.js';

const READ_TIMEOUT_MS = 30_000;

/** The facts that the package does not pass on. */
export interface RequestDetails extends Partial<Pick<Request, 'isRepeatable' | 'onSend'>> {
  /** Called with each result of the call, before the package asks what it asks for. */
  readonly onResult?: (result: unknown) => void;
}

/** @param details of the `tools/call` that is made over the port */
export function sessionPort(connection: Connection, { onResult, ...details }: RequestDetails = {}): ConnectedMcpSessionPort {
  const deaf = (): (() => void) => () => undefined;
  return {
    endpointId: 'server',
    // Also for servers without the extension: they answer at once, and so they never return a task.
    taskCapabilities: { generation: 'v2', capabilities: {} },
    invalidated: false,
    // Nothing comes from the server without being asked for in this protocol version, and this library listens itself.
    onServerRequest: deaf,
    onNotification: deaf,
    onInvalidated: deaf,
    async dispatch(request, options): Promise<JsonRpcResponse> {
      const { method, params } = request as { method: string; params: Record<string, JsonValue> };
      const isCall = method === 'tools/call';
      try {
        const result = await connection.request({
          method,
          params,
          isRepeatable: !isCall,
          isCancellable: isCall,
          ...(isCall ? details : { timeoutMs: READ_TIMEOUT_MS }),
          ...(options?.signal !== undefined && { signal: options.signal }),
          ...(options?.context?.headers !== undefined && { headers: lowerCased(options.context.headers) }),
        });
        if (isCall) onResult?.(result);
        return { kind: 'result', result: result as JsonValue };
      } catch (error) {
        if (error instanceof RpcError) return { kind: 'error', error: errorObject(error) };
        throw new DispatchError(`${method} was not answered.`, false, { cause: error });
      }
    },
  };
}

function errorObject({ code, message, data }: RpcError): { code: number; message: string; data?: JsonValue } {
  return { code, message, ...(data !== undefined && { data: data as JsonValue }) };
}

/** Names of headers are case-insensitive, but not as keys of an object. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
