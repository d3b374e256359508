import { ServerCalls } from './server-calls.js';
import { isAllowed } from './server-config.js';
import { ToolList } from './tool-list.js';
import { withinTime } from './within-time.js';
/** At which a server's instructions to models are cut. */
const MAX_INSTRUCTION_CHARACTERS = 16_384;
/** How long calls may take to be cancelled, a session to be ended, and a process to end. */
const CLOSE_MS = 20_000;
/** A server that is connected. */
export class ConnectedServer {
    config;
    /** For all that is no call of a tool. */
    client;
    #options;
    #calls;
    #list;
    #closing = new AbortController();
    #closed;
    constructor(options) {
        const { client, config } = options;
        this.client = client;
        this.config = config;
        this.#options = options;
        this.#calls = new ServerCalls(options);
        this.#list = new ToolList({
            client,
            config,
            signal: this.#closing.signal,
            onChange: () => this.#report({ type: 'tools-changed', server: this.name, tools: this.tools.length }),
            onWarning: (message) => this.#report({ type: 'warning', server: this.name, message }),
        });
    }
    get name() {
        return this.config.name;
    }
    /** The tools that may be used. The array stays the same one until they change. */
    get tools() {
        return this.#list.tools;
    }
    /** What it says to models about its use, if it says something. */
    get instructions() {
        return this.client.client.getInstructions()?.slice(0, MAX_INSTRUCTION_CHARACTERS);
    }
    /** How its process ended, if it did so by itself. */
    get endedByItself() {
        return this.#options.link.endedByItself;
    }
    /** Lists its tools and asks for its log; to be done once. @throws Error of the SDK */
    async open() {
        const { client, generation } = this.client;
        const { link, handlers } = this.#options;
        client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => this.#report({ type: 'log', server: this.name, level, logger, data }));
        const isAsked = generation === '2025-11-25' && client.getServerCapabilities()?.logging !== undefined;
        // What it logs is worth less than its tools: some servers declare a log and know no levels.
        if (isAsked && handlers.logLevel !== undefined)
            await client
                .setLoggingLevel(handlers.logLevel)
                .catch((error) => this.#report({ type: 'warning', server: this.name, message: `it takes no level of its log: ${String(error)}` }));
        await this.#list.open();
        this.#report({ type: 'connected', server: this.name, protocolVersion: generation, tools: this.tools.length });
        void link.exited?.then((how) => this.#disconnected(`its process ${how}`));
    }
    /**
     * Calls a tool and waits for its result, however long that takes; a task is followed. What it asks is answered by the handlers. A
     * tool that wants pages to be visited first is called again when they have been.
     *
     * @throws what the client's `callTool` throws; Error when the server's `timeoutMs` is over, and for a tool that may not be used
     */
    async callTool(name, args, options) {
        if (!isAllowed(name, this.config))
            throw new Error(`The tool "${name}" of the server "${this.name}" may not be used.`);
        return this.#calls.call(name, args, options);
    }
    /** Goes on with a task that another call, or another process, has left behind. @throws as `callTool` */
    async resumeTask(reference, options) {
        return this.#calls.resume(reference, options);
    }
    /** Ends the connection, and its process with all that it has started. Unfinished tasks go on, if they are elsewhere. Never rejects. */
    close() {
        this.#closed ??= this.#close();
        return this.#closed;
    }
    async #close() {
        const { link } = this.#options;
        this.#closing.abort(new Error('The server is disconnected.'));
        try {
            await withinTime(CLOSE_MS, () => link.end(), () => this.client.close());
        }
        catch (error) {
            this.#report({ type: 'warning', server: this.name, message: `it was not disconnected properly: ${String(error)}` });
        }
        await link.end();
        if (link.exited === undefined)
            this.#disconnected('its connection is closed');
    }
    #disconnected(reason) {
        this.#report({ type: 'disconnected', server: this.name, reason });
    }
    #report(event) {
        this.#options.handlers.report?.(event);
    }
}
//# sourceMappingURL=connected-server.js.map