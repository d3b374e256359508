import { boundedResponse } from './bounded-response.js';
import { sameOriginFetch } from './same-origin-fetch.js';
import { ServerProcess } from './server-process.js';
/** Nothing is started or connected yet. */
export function linkTo(config) {
    return config.kind === 'stdio' ? new StdioLink(config) : new UrlLink(config);
}
class StdioLink {
    config;
    #process;
    #isEnding = false;
    #endedByItself;
    constructor(config) {
        this.config = config;
    }
    target = () => {
        if (this.#isEnding)
            throw new Error('the server is not wanted any more');
        this.#process = new ServerProcess(this.config);
        return this.#process;
    };
    get stderr() {
        return this.#process?.stderr ?? '';
    }
    get endedByItself() {
        return this.#isEnding ? this.#endedByItself : this.#process?.ended;
    }
    get exited() {
        return this.#process?.exited;
    }
    async end() {
        if (!this.#isEnding)
            this.#endedByItself = this.#process?.ended;
        this.#isEnding = true;
        await this.#process?.close();
    }
}
class UrlLink {
    stderr = '';
    endedByItself = undefined;
    exited = undefined;
    target;
    transport;
    #end = new AbortController();
    constructor({ url, headers }) {
        this.target = url;
        this.transport = {
            requestInit: { headers },
            fetch: async (input, init) => {
                const signals = [this.#end.signal, ...(init?.signal === null || init?.signal === undefined ? [] : [init.signal])];
                return boundedResponse(await sameOriginFetch(input, { ...init, signal: AbortSignal.any(signals) }));
            },
        };
    }
    async end() {
        this.#end.abort(new Error('the server is not wanted any more'));
    }
}
//# sourceMappingURL=server-link.js.map