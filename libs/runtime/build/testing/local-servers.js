import { createServer } from 'node:http';
/** HTTP servers on this machine, for as long as a test. */
export class LocalServers {
    #servers = [];
    /** Starts one. @returns its port on 127.0.0.1 */
    async start(listener) {
        const server = createServer(listener);
        this.#servers.push(server);
        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
        return server.address().port;
    }
    /** Stops all, with what is open to them. */
    async stop() {
        for (const server of this.#servers.splice(0)) {
            server.closeAllConnections();
            await new Promise((resolve) => server.close(resolve));
        }
    }
}
//# sourceMappingURL=local-servers.js.map