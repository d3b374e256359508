import { randomUUID } from 'node:crypto';
import { connectServer } from '../servers/connect-server.js';
import { askableKinds } from './askable-kinds.js';
import { questionOf } from './question.js';
export class PassConnections {
    options;
    opened = new Map();
    calls = new Map();
    isOver = false;
    constructor(options) {
        this.options = options;
        // What runs in steps is aborted in the same moment, and has to be cancelled before its connection is closed.
        options.signal.addEventListener('abort', () => queueMicrotask(() => void this.close()), { once: true });
    }
    get servers() {
        return this.options.servers;
    }
    /** A connection to the server. One whose process has ended is replaced. @throws ServerStartError; RangeError for a server that is not on the list */
    async to(name) {
        const present = this.opened.get(name);
        if (present !== undefined && (await present).server.endedByItself === undefined)
            return present;
        // Another call has replaced it meanwhile.
        if (this.opened.get(name) !== present)
            return this.to(name);
        const opening = this.open(name);
        this.opened.set(name, opening);
        // The next one who needs it tries again.
        opening.catch(() => this.opened.delete(name));
        return opening;
    }
    /** Has the questions of a call answered until it is over. @param id of the call, which no other one has */
    async answering(id, answer, run) {
        this.calls.set(id, answer);
        try {
            return await run();
        }
        finally {
            this.calls.delete(id);
        }
    }
    async open(name) {
        const config = this.options.servers.get(name);
        if (config === undefined)
            throw new RangeError(`The server "${name}" is not on the operator's list any more.`);
        const server = await connectServer(config, this.handlers(() => server.client.generation));
        if (this.isOver)
            await server.close();
        return { id: randomUUID(), server };
    }
    /** What the client of the task cannot be asked, servers are not offered. */
    handlers(generation) {
        const kinds = askableKinds(this.options.client);
        const answer = async (kind, params, asking) => {
            const call = asking.callId === undefined ? undefined : this.calls.get(asking.callId);
            if (call === undefined)
                throw new Error('It is not known which call asks.');
            return call(questionOf(kind, params), { taskId: asking.taskId, generation: generation() });
        };
        return {
            ...(kinds.includes('elicitation') && {
                elicitation: async (params, asking) => (await answer('elicitation', params, asking)),
            }),
            ...(kinds.includes('sampling') && {
                sampling: async (params, asking) => (await answer('sampling', params, asking)),
            }),
            ...(kinds.includes('roots') && {
                roots: async (asking) => (await answer('roots', {}, asking)).roots,
            }),
        };
    }
    /** Closes all connections. Never rejects. */
    async close() {
        this.isOver = true;
        const closed = [...this.opened.values()].map(async (opening) => (await opening).server.close());
        await Promise.allSettled(closed);
    }
}
//# sourceMappingURL=pass-connections.js.map