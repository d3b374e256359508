import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode, UserError } from './user-error.js';
const REASONS = {
    EADDRINUSE: 'is taken: end what uses it, or choose another one, such as PORT=',
    EACCES: 'may not be used by this user: choose one above 1023, such as PORT=',
    EADDRNOTAVAIL: 'cannot be used: this machine does not have that address, set HOST to one that it has',
    ENOTFOUND: 'cannot be used: the host name is unknown, set HOST to an address of this machine',
};
/**
 * Checks that the gateway will be able to listen, before anything is started.
 *
 * @param variable the one that chooses the port
 * @throws UserError with what to do about it
 */
export async function requireFreePort(port, host, variable = 'PORT') {
    const server = createServer();
    try {
        server.listen(port, host);
        await once(server, 'listening');
    }
    catch (error) {
        const code = errorCode(error) ?? 'unknown error';
        const reason = REASONS[code] ?? `cannot be used (${code}): choose another one, such as PORT=`;
        const other = port >= 1024 && port < 65_535 ? port + 1 : 3001;
        throw new UserError(`port ${port} on ${host} ${reason.replace(/PORT=$/, `${variable}=${other}`)}`);
    }
    server.close();
    await once(server, 'close');
}
//# sourceMappingURL=port.js.map