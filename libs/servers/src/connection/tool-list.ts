/** Keeps the list of a connected server's tools, and reads it again when the server says that it has changed. */
import type { TaskClient } from '@longhaul/client';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { setTimeout as wait } from 'node:timers/promises';
import { boundedTools } from './bounded-tools.js';
import type { ServerOptions } from '../config/server-config.js';

const LIST_CHANGED = 'notifications/tools/list_changed';
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

export interface ToolListOptions {
  readonly client: TaskClient;
  readonly config: Pick<ServerOptions, 'tools'>;
  /** Called when the list has been read again. */
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
  /** Aborted when the connection is closed. */
  readonly signal: AbortSignal;
}

/** The tools that may be used. The array stays the same one until they change. */
export class ToolList {
  #tools: readonly ListedTool[] = [];
  #warned = new Set<string>();
  #reading: Promise<void> | undefined;
  #isStale = false;

  constructor(private readonly options: ToolListOptions) {}

  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  /** Reads the list, and from now on again when it has changed. @throws Error if it cannot be read now */
  async open(): Promise<void> {
    const { client, signal } = this.options;
    const capability = client.client.getServerCapabilities()?.tools;
    if (capability === undefined) return;
    client.client.setNotificationHandler(LIST_CHANGED, () => void this.#readAgain());
    await this.#read();
    if (capability.listChanged === true && client.generation === '2026-07-28') void this.#subscribe(signal);
  }

  async #read(): Promise<void> {
    const { client, config, onWarning, signal } = this.options;
    const { tools: listed } = await client.client.listTools(undefined, { cacheMode: 'refresh', signal });
    const { tools, warnings } = boundedTools(listed as readonly ListedTool[], config);
    this.#tools = tools;
    for (const warning of warnings) if (!this.#warned.has(warning)) onWarning(warning);
    this.#warned = new Set(warnings);
  }

  /** Several changes that come while the list is read are one more reading. Never rejects. */
  #readAgain(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= (async () => {
      while (this.#isStale && !this.options.signal.aborted) {
        this.#isStale = false;
        try {
          await this.#read();
          this.options.onChange();
        } catch (error) {
          if (!this.options.signal.aborted) this.options.onWarning(`its tools have changed, and cannot be read: ${String(error)}`);
        }
        // A server may say it again after each reading, without end.
        if (this.#isStale) await wait(FIRST_DELAY_MS, undefined, { signal: this.options.signal }).catch(() => undefined);
      }
      this.#reading = undefined;
    })();
    return this.#reading;
  }

  /** In protocol version 2026-07-28 changes come on a subscription, which is opened again when it breaks. Never rejects. */
  async #subscribe(signal: AbortSignal): Promise<void> {
    const { client } = this.options.client;
    for (let delayMs = FIRST_DELAY_MS; !signal.aborted; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      try {
        const subscription = await client.listen({ toolsListChanged: true }, { signal });
        const openedAt = Date.now();
        await subscription.closed;
        if (Date.now() - openedAt > MAX_DELAY_MS) delayMs = FIRST_DELAY_MS;
      } catch (error) {
        if (error instanceof ProtocolError) return; // It cannot do that, though it has declared it.
      }
      await wait(delayMs, undefined, { signal }).catch(() => undefined);
      // Changes during the wait were not reported.
      if (!signal.aborted) await this.#readAgain();
    }
  }
}
