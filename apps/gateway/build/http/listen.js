import { listenAtAddress, ListenError } from '@longhaul/runtime/listen';
import { MCP_PATH } from './mcp-routes.js';
/** Starts to listen. @returns the URL of the MCP endpoint; on a socket, one for the `Host` header. @throws ListenError */
export async function listen(app, at) {
    if ('socketPath' in at)
        return listenOnSocket(app, at.socketPath);
    return `${await listenAtAddress(app, at, { host: 'HOST', port: 'PORT' })}${MCP_PATH}`;
}
async function listenOnSocket(app, socketPath) {
    try {
        await app.listen({ path: socketPath });
    }
    catch (error) {
        throw new ListenError(`Cannot listen on ${socketPath}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    return `http://localhost${MCP_PATH}`;
}
//# sourceMappingURL=listen.js.map