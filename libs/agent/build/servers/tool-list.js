import { ProtocolError } from '@modelcontextprotocol/client';
import { setTimeout as wait } from 'node:timers/promises';
import { boundedTools } from './bounded-tools.js';
const LIST_CHANGED = 'notifications/tools/list_changed';
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
/** The tools that may be used. The array stays the same one until they change. */
export class ToolList {
    options;
    #tools = [];
    #warned = new Set();
    #reading;
    #isStale = false;
    constructor(options) {
        this.options = options;
    }
    get tools() {
        return this.#tools;
    }
    /** Reads the list, and from now on again when it has changed. @throws Error if it cannot be read now */
    async open() {
        const { client, signal } = this.options;
        const capability = client.client.getServerCapabilities()?.tools;
        if (capability === undefined)
            return;
        client.client.setNotificationHandler(LIST_CHANGED, () => void this.#readAgain());
        await this.#read();
        if (capability.listChanged === true && client.generation === '2026-07-28')
            void this.#subscribe(signal);
    }
    async #read() {
        const { client, config, onWarning, signal } = this.options;
        const { tools: listed } = await client.client.listTools(undefined, { cacheMode: 'refresh', signal });
        const { tools, warnings } = boundedTools(listed, config);
        this.#tools = tools;
        for (const warning of warnings)
            if (!this.#warned.has(warning))
                onWarning(warning);
        this.#warned = new Set(warnings);
    }
    /** Several changes that come while the list is read are one more reading. Never rejects. */
    #readAgain() {
        this.#isStale = true;
        this.#reading ??= (async () => {
            while (this.#isStale && !this.options.signal.aborted) {
                this.#isStale = false;
                try {
                    await this.#read();
                    this.options.onChange();
                }
                catch (error) {
                    if (!this.options.signal.aborted)
                        this.options.onWarning(`its tools have changed, and cannot be read: ${String(error)}`);
                }
                // A server may say it again after each reading, without end.
                if (this.#isStale)
                    await wait(FIRST_DELAY_MS, undefined, { signal: this.options.signal }).catch(() => undefined);
            }
            this.#reading = undefined;
        })();
        return this.#reading;
    }
    /** In protocol version 2026-07-28 changes come on a subscription, which is opened again when it breaks. Never rejects. */
    async #subscribe(signal) {
        const { client } = this.options.client;
        for (let delayMs = FIRST_DELAY_MS; !signal.aborted; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
            try {
                const subscription = await client.listen({ toolsListChanged: true }, { signal });
                const openedAt = Date.now();
                await subscription.closed;
                if (Date.now() - openedAt > MAX_DELAY_MS)
                    delayMs = FIRST_DELAY_MS;
            }
            catch (error) {
                if (error instanceof ProtocolError)
                    return; // It cannot do that, though it has declared it.
            }
            await wait(delayMs, undefined, { signal }).catch(() => undefined);
            // What changed meanwhile was not heard.
            if (!signal.aborted)
                await this.#readAgain();
        }
    }
}
//# sourceMappingURL=tool-list.js.map