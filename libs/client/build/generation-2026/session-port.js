/**
 * The tasks extension's own client package over this library's requests. It knows the rounds of a call that needs
 * input before it is answered, frames the extension's requests and checks their results. Of its two retries, the one
 * for `DispatchError`s that are retryable is never used: the connection has repeated by then what it may repeat, and
 * a `tools/call` is no such request.
 */
import { DispatchError } from '@modelcontextprotocol/ext-tasks/client';
import { RpcError } from '../errors.js';
const READ_TIMEOUT_MS = 30_000;
/** @param details of the `tools/call` that is made over the port */
export function sessionPort(connection, details = {}) {
    const deaf = () => () => undefined;
    return {
        endpointId: 'server',
        // Also for servers without the extension: they answer at once, and so they never return a task.
        taskCapabilities: { generation: 'v2', capabilities: {} },
        invalidated: false,
        // Nothing comes from the server without being asked for in this protocol version, and this library listens itself.
        onServerRequest: deaf,
        onNotification: deaf,
        onInvalidated: deaf,
        async dispatch(request, options) {
            const { method, params } = request;
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
                return { kind: 'result', result: result };
            }
            catch (error) {
                if (error instanceof RpcError)
                    return { kind: 'error', error: errorObject(error) };
                throw new DispatchError(`${method} was not answered.`, false, { cause: error });
            }
        },
    };
}
function errorObject({ code, message, data }) {
    return { code, message, ...(data !== undefined && { data: data }) };
}
/** Names of headers are case-insensitive, but not as keys of an object. */
function lowerCased(headers) {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
//# sourceMappingURL=session-port.js.map