import { SessionLostError } from './errors.js';
import { Generation2025 } from './generation-2025/tool-calls.js';
import { Generation2026 } from './generation-2026/tool-calls.js';
const PING_TIMEOUT_MS = 30_000;
export function lineOn(connection) {
    const adapter = connection.generation === '2026-07-28' ? new Generation2026(connection) : new Generation2025(connection);
    return { connection, adapter };
}
/** Connections to the sessions of resumed tasks, one for each session, as long as one of its tasks is followed. */
export class JoinedSessions {
    join;
    #joined = new Map();
    constructor(join) {
        this.join = join;
    }
    /**
     * Runs something on a connection to the session.
     *
     * @param run gets nothing if the session is gone
     */
    async during(session, run) {
        const joined = this.#joined.get(session.id) ?? { line: this.#open(session), users: 0 };
        this.#joined.set(session.id, joined);
        joined.users += 1;
        try {
            return await run(await joined.line);
        }
        finally {
            joined.users -= 1;
            if (joined.users === 0)
                await this.#leave(session, joined);
        }
    }
    async #open(session) {
        const connection = await this.join(session);
        try {
            await connection.request({ method: 'ping', isRepeatable: true, timeoutMs: PING_TIMEOUT_MS });
            return lineOn(connection);
        }
        catch (error) {
            await connection.close();
            if (error instanceof SessionLostError)
                return undefined;
            throw error;
        }
    }
    async #leave({ id }, joined) {
        this.#joined.delete(id);
        const [line] = await Promise.allSettled([joined.line]);
        if (line.status === 'fulfilled')
            await line.value?.connection.close();
    }
}
//# sourceMappingURL=line.js.map