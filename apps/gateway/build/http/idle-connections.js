const SWEEP_MS = 20;
/** Keeps an eye on a server's connections. */
export class IdleConnections {
    server;
    #unused = new Set();
    constructor(server) {
        this.server = server;
        server.on('connection', (socket) => {
            this.#unused.add(socket);
            socket.on('close', () => this.#unused.delete(socket));
        });
        server.on('request', ({ socket }) => this.#unused.delete(socket));
    }
    /** From now on they are closed, until the server is. */
    drop() {
        if (!this.server.listening)
            return;
        const sweep = setInterval(() => {
            this.server.closeIdleConnections();
            for (const socket of this.#unused)
                if (socket.bytesRead === 0)
                    socket.destroy();
        }, SWEEP_MS);
        this.server.once('close', () => clearInterval(sweep));
    }
}
//# sourceMappingURL=idle-connections.js.map