/**
 * Keeps the lists of a connected server, and reads them again when the server says that they have changed. A server may say so a thousand
 * times a second, or after each reading: several changes are one reading, and readings that find nothing new come at longer intervals.
 */
import type { TaskClient } from '@longhaul/client';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerOptions } from '../config/server-config.js';
import { boundedTools } from './bounded-tools.js';
import { LISTS, type ListEntries, type ListKind, readList } from './server-list.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
/** Most resources that are followed on one connection. */
const MAX_SUBSCRIPTIONS = 1_000;

/** The notification of each list. */
const CHANGED = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
} as const;

export interface ServerListsOptions {
  readonly client: TaskClient;
  readonly config: Pick<ServerOptions, 'tools' | 'pins'>;
  /** The lists that are kept. */
  readonly kinds: readonly ListKind[];
  /** Whether tools are left out that a language model could not be offered: too many, too large, or without a valid schema. */
  readonly forModels: boolean;
  /** Called when a list has been read again, and is another one. */
  readonly onChange: (kind: ListKind) => void;
  /** Called when a resource has changed. */
  readonly onUpdated: (uri: string) => void;
  readonly onWarning: (message: string) => void;
  /** Aborted when the connection is closed. */
  readonly signal: AbortSignal;
}

type Lists = { readonly [Kind in ListKind]: readonly ListEntries[Kind][] };

export class ServerLists {
  #lists: Lists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
  readonly #warned = new Map<ListKind, ReadonlySet<string>>();
  readonly #stale = new Set<ListKind>();
  readonly #subscribed = new Set<string>();
  #reading: Promise<void> | undefined;
  #listening = new AbortController();

  constructor(private readonly options: ServerListsOptions) {}

  /** A list as it is now. The array stays the same one until the list changes. */
  get<Kind extends ListKind>(kind: Kind): Lists[Kind] {
    return this.#lists[kind];
  }

  /** Reads the lists, and from now on again when they have changed. @throws Error if one of them cannot be read now */
  async open(): Promise<void> {
    const { client, onUpdated } = this.options;
    const kinds = this.options.kinds.filter((kind) => this.#capability(kind) !== undefined);
    for (const [method, changed] of Object.entries(CHANGED) as [keyof typeof CHANGED, readonly ListKind[]][]) {
      const kept = changed.filter((kind) => kinds.includes(kind));
      if (kept.length > 0) client.client.setNotificationHandler(method, () => void this.#readAgain(kept));
    }
    client.client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => onUpdated(uri));
    await Promise.all(kinds.map((kind) => this.#read(kind)));
    const isToListen = kinds.some((kind) => this.#capability(kind)?.listChanged === true);
    if (isToListen && client.generation === '2026-07-28') void this.#listen();
  }

  /** Has the server report changes of a resource from now on. @throws Error of the client; RangeError if there are too many */
  async subscribe(uri: string): Promise<void> {
    const { client } = this.options;
    if (this.#subscribed.has(uri)) return;
    if (this.#subscribed.size >= MAX_SUBSCRIPTIONS) throw new RangeError(`Changes of at most ${MAX_SUBSCRIPTIONS} resources are followed.`);
    if (client.generation !== '2026-07-28') await client.client.subscribeResource({ uri });
    this.#subscribed.add(uri);
    if (client.generation === '2026-07-28') this.#listenAnew();
  }

  /** Ends that. @throws Error of the client */
  async unsubscribe(uri: string): Promise<void> {
    const { client } = this.options;
    if (!this.#subscribed.delete(uri)) return;
    if (client.generation === '2026-07-28') this.#listenAnew();
    else await client.client.unsubscribeResource({ uri });
  }

  #capability(kind: ListKind): { readonly listChanged?: boolean | undefined } | undefined {
    return this.options.client.client.getServerCapabilities()?.[LISTS[kind].capability];
  }

  /** @returns whether the list is another one than before */
  async #read(kind: ListKind): Promise<boolean> {
    const { client, config, forModels, onWarning, signal } = this.options;
    const { entries, warnings } = await readList(kind, client, signal);
    if (kind === 'tools' && forModels) await config.pins?.refresh();
    const bounded = kind === 'tools' && forModels ? boundedTools(entries as readonly Tool[], config) : undefined;
    const all = new Set([...warnings, ...(bounded?.warnings ?? [])]);
    for (const warning of all) if (this.#warned.get(kind)?.has(warning) !== true) onWarning(warning);
    this.#warned.set(kind, all);
    const list = bounded?.tools ?? entries;
    if (isDeepStrictEqual(list, this.#lists[kind])) return false;
    this.#lists = { ...this.#lists, [kind]: list };
    return true;
  }

  /** Changes that come while the lists are read are one more reading. Never rejects. */
  #readAgain(kinds: readonly ListKind[]): Promise<void> {
    for (const kind of kinds) this.#stale.add(kind);
    this.#reading ??= this.#readUntilFresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readUntilFresh(): Promise<void> {
    const { signal, onChange, onWarning } = this.options;
    for (let delayMs = FIRST_DELAY_MS; this.#stale.size > 0 && !signal.aborted;) {
      const kinds = [...this.#stale];
      this.#stale.clear();
      let isChanged = false;
      for (const kind of kinds)
        try {
          if (!(await this.#read(kind))) continue;
          isChanged = true;
          onChange(kind);
        } catch (error) {
          if (!signal.aborted) onWarning(`its ${kind} have changed, and cannot be read: ${String(error)}`);
        }
      delayMs = isChanged ? FIRST_DELAY_MS : Math.min(2 * delayMs, MAX_DELAY_MS);
      await wait(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Once for all subscriptions of a turn of the event loop. */
  #listenAnew(): void {
    this.#listening.abort();
    const listening = new AbortController();
    this.#listening = listening;
    setImmediate(() => {
      if (!listening.signal.aborted) void this.#listen();
    });
  }

  /** In protocol version 2026-07-28 changes come on a subscription, which is opened again when it breaks. Never rejects. */
  async #listen(): Promise<void> {
    const { client, kinds } = this.options;
    const signal = AbortSignal.any([this.options.signal, this.#listening.signal]);
    for (let delayMs = FIRST_DELAY_MS; !signal.aborted; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      try {
        const subscription = await client.client.listen(this.#wanted(), { signal });
        const openedAt = Date.now();
        await subscription.closed;
        if (Date.now() - openedAt > MAX_DELAY_MS) delayMs = FIRST_DELAY_MS;
      } catch (error) {
        if (error instanceof ProtocolError) return; // It cannot do that, though it has declared it.
      }
      await wait(delayMs, undefined, { signal }).catch(() => undefined);
      // Changes during the wait were not reported.
      if (!signal.aborted) await this.#readAgain(kinds.filter((kind) => this.#capability(kind) !== undefined));
    }
  }

  #wanted() {
    const { kinds } = this.options;
    const isKept = (kind: ListKind): boolean => kinds.includes(kind) && this.#capability(kind)?.listChanged === true;
    return {
      ...(isKept('tools') && { toolsListChanged: true }),
      ...(isKept('prompts') && { promptsListChanged: true }),
      ...((isKept('resources') || isKept('resourceTemplates')) && { resourcesListChanged: true }),
      ...(this.#subscribed.size > 0 && { resourceSubscriptions: [...this.#subscribed] }),
    };
  }
}
