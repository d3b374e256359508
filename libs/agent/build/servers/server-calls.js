/** Calls of one server's tools: with the host's answers to what they ask, and within the time that is set. */
import { RpcError } from '@longhaul/client';
import { MAX_URL_ROUNDS, requiredElicitations } from '@longhaul/mcp-features';
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { inputHandlersFor } from './server-handlers.js';
export class ServerCalls {
    options;
    constructor(options) {
        this.options = options;
    }
    async call(name, args, options = {}) {
        const { client } = this.options;
        for (let visits = 0;; visits += 1) {
            try {
                return await this.#during(options, (following) => client.callTool(name, args, { ...options, ...following, meta: this.#meta(options) }));
            }
            catch (error) {
                const isToGoOn = visits < MAX_URL_ROUNDS && (await this.#haveVisited(error, name, options));
                if (!isToGoOn)
                    throw error;
            }
        }
    }
    async resume(reference, options = {}) {
        return this.#during(options, (following) => this.options.client.resumeTask(reference, { ...options, ...following }));
    }
    async #during({ callId, signal }, run) {
        const { config, handlers } = this.options;
        const end = new AbortController();
        const { timeoutMs } = config;
        const timer = timeoutMs === undefined
            ? undefined
            : setTimeout(() => end.abort(new Error(`The server "${config.name}" did not answer within ${timeoutMs} ms; the call was cancelled.`)), timeoutMs);
        const own = inputHandlersFor(handlers, { server: config.name, ...(callId !== undefined && { callId }) });
        try {
            const signals = [end.signal, ...(signal === undefined ? [] : [signal])];
            return (await run({ onInput: this.#endingCalls(own, end), signal: AbortSignal.any(signals) }));
        }
        finally {
            clearTimeout(timer);
        }
    }
    /**
     * In protocol version 2026-07-28 there is no way to say that something is refused or failed, so that a task would wait for its
     * answer for ever: it is cancelled. In the other one the server gets an error.
     */
    #endingCalls(handlers, end) {
        if (this.options.client.generation === '2025-11-25')
            return handlers;
        const ending = (kind, handle) => handle && {
            [kind]: async (...args) => {
                try {
                    return await handle(...args);
                }
                catch (error) {
                    end.abort(error);
                    throw error;
                }
            },
        };
        const { elicitation, sampling, roots } = handlers;
        return { ...ending('elicitation', elicitation), ...ending('sampling', sampling), ...ending('roots', roots) };
    }
    /** Has pages visited that the tool wants to be visited before it is called. @returns whether they have been */
    async #haveVisited(error, tool, { callId, signal = new AbortController().signal }) {
        const elicitations = error instanceof RpcError ? requiredElicitations(error) : undefined;
        const { config, handlers } = this.options;
        const { elicitation } = inputHandlersFor(handlers, { server: config.name, ...(callId !== undefined && { callId }) });
        if (elicitations === undefined || elicitation === undefined)
            return false;
        for (const params of elicitations)
            if ((await elicitation(params, { tool, signal })).action !== 'accept')
                return false;
        return true;
    }
    /** In protocol version 2026-07-28 each call says which messages of the log it wants. */
    #meta({ meta }) {
        const { client, handlers } = this.options;
        const isAsked = handlers.logLevel !== undefined && client.generation === '2026-07-28';
        return { ...meta, ...(isAsked && { [LOG_LEVEL_META_KEY]: handlers.logLevel }) };
    }
}
//# sourceMappingURL=server-calls.js.map