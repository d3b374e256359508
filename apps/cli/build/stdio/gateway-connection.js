/**
 * HTTP to the gateway over its socket. Node's own client, because it separates a request that was never sent from one that
 * may have been: only the first may be sent again without a thought.
 */
import { Agent, request } from 'node:http';
import { errorCode } from '../user-error.js';
/** What happens to a connection of which nothing has reached the gateway: it does not listen, or too many wait for it. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE']);
export class GatewayConnection {
    socketPath;
    url;
    #agent = new Agent({ keepAlive: true });
    /** @param url where the endpoint is on the socket */
    constructor(socketPath, url) {
        this.socketPath = socketPath;
        this.url = url;
    }
    /**
     * Resolves when the response begins.
     *
     * @throws Error of the connection, see `isUnsent`; the signal's when it aborts
     */
    request({ method, headers, body, isAlone = false, signal }) {
        const { host, pathname } = new URL(this.url);
        return new Promise((resolve, reject) => {
            const options = { agent: isAlone ? false : this.#agent, socketPath: this.socketPath, path: pathname, method, signal };
            const outgoing = request({ ...options, headers: { host, ...headers } });
            outgoing.once('response', resolve);
            outgoing.on('error', reject);
            outgoing.end(body);
        });
    }
    close() {
        this.#agent.destroy();
    }
}
/** Whether the error is one of the connection. */
export function isBroken(error) {
    return errorCode(error) !== undefined;
}
/** Whether the gateway certainly has got nothing of the request that failed so. */
export function isUnsent(error) {
    return UNSENT.has(errorCode(error) ?? '');
}
//# sourceMappingURL=gateway-connection.js.map