/**
 * The features of all servers, as they are now. A server that is away keeps nothing else from being served: what it offered the last time
 * stays listed, also over a start, and it is connected again by itself.
 */
import type { DurableTool, Feature, FeatureSource, Resource, Tool } from '@longhaul/mcp-features';
import { printableLine } from '@longhaul/runtime/printable';
import { Semaphore } from '@longhaul/runtime/semaphore';
import { KeptServer, type ServerConfig, type ServerEvent, type ServerHandlers, type ServerHealth } from '@longhaul/servers';
import type { Unsubscribe } from '@longhaul/tasks';
import { shortened } from '@longhaul/tasks/text';
import type { ServerDesk } from './deployment/server-desk.js';
import { prefixOf, serversOfTool } from './exported-name.js';
import type { KeptSnapshots } from './kept-snapshots.js';
import { PinWatch } from './pin-watch.js';
import { durableToolNamed, type FeatureParts, featuresOf, resourceNamed } from './server-features.js';
import type { ServerStatus, SteeredCatalogue } from './server-status.js';
import { type Snapshot, snapshotOf } from './snapshot.js';
import { WatchedResources } from './watched-resources.js';

/**
 * Some servers list a tool only to a client that can answer what it asks. No call is made on the connection for lists, so a question on it
 * asks nobody.
 */
const LISTING: Pick<ServerHandlers, 'lists' | 'capabilities' | 'roots'> = {
  lists: 'all',
  capabilities: { roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
  roots: () => [],
};
/** Servers that are started at the same time. */
const STARTED_AT_ONCE = 8;
/** Resources of all servers that clients may follow. */
const MAX_WATCHED = 10_000;
/** Of the instructions of all servers. Clients that show them to models cut them earlier. */
const MAX_INSTRUCTION_CHARACTERS = 32_768;
const MAX_LINE_CHARACTERS = 4_000;
const NONE: readonly Feature[] = [];

export interface CatalogueOptions extends FeatureParts {
  readonly kept: KeptSnapshots;
  readonly desk: Pick<ServerDesk, 'isOff' | 'kept'>;
  /** Receives lines for the operator's log. */
  readonly warn: (line: string) => void;
  readonly resourceUpdated: (uri: string) => void;
}

interface Entry {
  readonly config: ServerConfig;
  /** Absent while it is off. */
  server: KeptServer | undefined;
  snapshot: Snapshot | undefined;
  features: readonly Feature[];
}

export class Catalogue implements FeatureSource, SteeredCatalogue {
  readonly #entries: readonly Entry[];
  readonly #listeners = new Set<() => void>();
  readonly #durable = new Map<string, DurableTool>();
  readonly #watched = new WatchedResources();
  readonly #told = new Set<string>();
  readonly #pins: PinWatch;
  #features: readonly Feature[] = [];
  #tools: ReadonlyMap<string, Tool> = new Map();
  #lists = true;
  #isOpen = false;
  #unfollow: Unsubscribe | undefined;

  constructor(private readonly options: CatalogueOptions) {
    this.#pins = new PinWatch({ configs: options.configs, onChange: (name) => this.#listAgain(name), warn: (line) => this.#tell(line) });
    this.#entries = options.configs.map((config) => ({ config, server: undefined, snapshot: undefined, features: [] }));
  }

  get features(): readonly Feature[] {
    return this.#lists ? this.#features : NONE;
  }

  get servers(): readonly ServerStatus[] {
    return this.#entries.map(({ config, server, snapshot }) => ({ config, health: server?.health, snapshot }));
  }

  /** How to use the servers, for models. Each is named with the beginning of its tools' names, unless there is one alone. */
  get instructions(): string | undefined {
    const { isAlone } = this.options;
    const told = this.#entries.flatMap(({ config: { name }, snapshot }) => {
      if (snapshot?.instructions === undefined || this.options.desk.isOff(name)) return [];
      return isAlone ? [snapshot.instructions] : [`${prefixOf(name)}* (server "${name}"):\n${snapshot.instructions}`];
    });
    return told.length === 0 ? undefined : shortened(told.join('\n\n'), MAX_INSTRUCTION_CHARACTERS);
  }

  get identity(): Snapshot['identity'] {
    return this.options.isAlone ? this.#entries[0]?.snapshot?.identity : undefined;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  known(tool: string): Tool | undefined {
    return this.#tools.get(tool);
  }

  /** A worker may know no catalogue, and a task outlives its tool's place in one. So any name that could be a tool of a server counts as one. */
  durable(tool: string): DurableTool | undefined {
    const { configs, isAlone } = this.options;
    if (serversOfTool(tool, configs, isAlone).length === 0) return undefined;
    const listed = this.known(tool);
    if (listed !== undefined && listed.taskSupport !== 'forbidden') return listed;
    const known = this.#durable.get(tool);
    if (known !== undefined) return known;
    const made = durableToolNamed(tool, this.options);
    if (this.#durable.size >= MAX_WATCHED) this.#durable.clear();
    this.#durable.set(tool, made);
    return made;
  }

  /** A server lists only some of its resources. Where one server alone has resources, all others are its own. */
  resource(uri: string): Resource | undefined {
    const { server, snapshot } = this.#reader ?? {};
    return server === undefined || snapshot === undefined ? undefined : resourceNamed(uri, server.config, snapshot, this.options);
  }

  get #reader(): Entry | undefined {
    const readers = this.#entries.filter(({ snapshot }) => snapshot?.reads === true);
    return readers.length === 1 ? readers[0] : undefined;
  }

  watch(uri: string, account: string): void {
    const gone = this.#watched.add(uri, account);
    for (const entry of this.#entries) {
      if (gone !== undefined) this.#unfollowed(entry, gone);
      this.#follow(entry, [uri]);
    }
  }

  /**
   * Knows servers only by what gateways keep of them, and connects none.
   *
   * @param lists whether it has what they offer among its features
   * @throws TaskError `STORE_UNAVAILABLE`
   */
  async openKept({ lists }: { readonly lists: boolean }): Promise<void> {
    this.#lists = lists;
    await this.#pins.open();
    const take = (): void => {
      for (const entry of this.#entries) {
        entry.snapshot = this.options.kept.get(entry.config);
        this.#make(entry);
      }
      this.#join();
    };
    take();
    this.#unfollow = await this.options.kept.follow(take);
  }

  /**
   * Connects all servers, some at a time. Resolves when all are connected or have failed, or after some time; a server of which is known what
   * it offered before is not waited for.
   */
  async open(waitMs: number): Promise<void> {
    const { kept, slow } = this.options;
    await this.#pins.open();
    slow.onChange((name) => this.#listAgain(name));
    for (const entry of this.#entries) {
      entry.snapshot = kept.get(entry.config);
      this.#make(entry);
    }
    this.#join();
    this.#isOpen = true;
    const starts = new Semaphore(STARTED_AT_ONCE);
    const opened = this.#entries.map(async (entry) => {
      const leave = await starts.enter();
      await this.#connect(entry).finally(leave);
    });
    const awaited = opened.filter((_, index) => this.#entries[index]?.snapshot === undefined);
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, waitMs);
    await Promise.race([Promise.all(awaited), late.promise]);
    clearTimeout(timer);
  }

  /** Ends all connections. Never rejects. */
  async close(): Promise<void> {
    this.#pins.close();
    this.#unfollow?.();
    this.#isOpen = false;
    await Promise.all(this.#entries.map(async ({ server }) => server?.close()));
    await Promise.all([this.options.kept.written(), this.options.slow.written()]);
  }

  switched(): void {
    for (const entry of this.#entries) {
      if (this.options.desk.isOff(entry.config.name)) {
        void entry.server?.close();
        entry.server = undefined;
      } else if (this.#isOpen && entry.server === undefined) void this.#connect(entry);
      this.#make(entry);
    }
    this.#join();
  }

  restart(name: string): void {
    const entry = this.#entries.find(({ config }) => config.name === name);
    // Its health says why it failed.
    entry?.server?.restart().catch(() => undefined);
  }

  /** Never rejects. */
  async #connect(entry: Entry): Promise<void> {
    const { config } = entry;
    if (!this.#isOpen || entry.server !== undefined || this.options.desk.isOff(config.name)) return;
    const server = new KeptServer(config, {
      ...LISTING,
      report: (event) => this.#report(entry, event),
      onHealth: (health) => {
        if (entry.server === server) this.#healthOf(entry, health);
      },
    });
    entry.server = server;
    // Its health says why it failed.
    await server.connected().catch(() => undefined);
  }

  #report(entry: Entry, event: ServerEvent): void {
    if (event.type === 'list-changed') this.#take(entry);
    else if (event.type === 'resource-updated') this.options.resourceUpdated(event.uri);
    else if (event.type === 'warning') this.#tell(`Server "${event.server}": ${event.message}`);
  }

  #healthOf(entry: Entry, health: ServerHealth): void {
    const { state, lastError } = health;
    this.options.desk.kept(entry.config.name, health);
    if (state === 'connected') {
      this.#take(entry);
      this.#follow(entry, this.#watched.uris);
    }
    if (state !== 'away' || lastError === undefined) return;
    const { snapshot } = entry;
    const shown = snapshot === undefined ? 'nothing of it is listed' : `it is listed as it was ${ageOf(snapshot)} ago`;
    this.#tell(`Server "${entry.config.name}" is away, and ${shown}: ${lastError}`);
  }

  #take(entry: Entry): void {
    const { config, server } = entry;
    if (server?.present === undefined) return;
    entry.snapshot = snapshotOf(server.present);
    this.options.kept.put(config, entry.snapshot);
    this.#make(entry);
    this.#join();
  }

  #make(entry: Entry): void {
    const { config, snapshot } = entry;
    const isListed = snapshot !== undefined && !this.options.desk.isOff(config.name);
    const { features, warnings } = isListed ? featuresOf(config, snapshot, this.options) : { features: [], warnings: [] };
    entry.features = features;
    for (const line of warnings) this.#tell(line);
  }

  /** One of its tools is listed in another way now. */
  #listAgain(name: string): void {
    for (const entry of this.#entries) if (entry.config.name === name) this.#make(entry);
    this.#join();
  }

  /** Leaves out a feature with a name that is taken, and says so in the log. */
  #join(): void {
    const found = new Map<string, Feature>();
    for (const { config, features } of this.#entries)
      for (const feature of features) {
        const name = feature.kind === 'resource' ? feature.uri : feature.kind === 'resource-template' ? feature.uriTemplate : feature.name;
        const key = `${feature.kind.replace('-', ' ')} ${JSON.stringify(name)}`;
        if (found.has(key)) this.#tell(`Server "${config.name}": its ${key} is left out: an earlier server has one of that name`);
        else found.set(key, feature);
      }
    this.#features = [...found.values()];
    this.#tools = new Map(this.#features.flatMap((feature) => (feature.kind === 'tool' ? [[feature.name, feature] as const] : [])));
    for (const listener of this.#listeners) listener();
  }

  /** A server hears of the resources that are its own, and of no others that clients want to know of. */
  #follow(entry: Entry, uris: readonly string[]): void {
    const { config, server, features } = entry;
    const present = server?.present;
    const capability = present?.client.client.getServerCapabilities()?.resources;
    if (present === undefined || capability?.subscribe !== true) return;
    for (const uri of uris.filter((each) => this.#reader === entry || features.some((feature) => isOf(feature, each))))
      present.lists
        .subscribe(uri)
        .catch((error: unknown) => this.#tell(`Server "${config.name}": changes of its resource are not known: ${String(error)}`));
  }

  #unfollowed({ config, server }: Entry, uri: string): void {
    server?.present?.lists
      .unsubscribe(uri)
      .catch((error: unknown) => this.#tell(`Server "${config.name}": changes of a resource are still reported: ${String(error)}`));
  }

  /** Names and messages of servers are shown where a person reads them. */
  #tell(said: string): void {
    const line = printableLine(said, MAX_LINE_CHARACTERS);
    if (this.#told.size >= MAX_WATCHED) this.#told.clear();
    if (this.#told.has(line)) return;
    this.#told.add(line);
    this.options.warn(line);
  }
}

function isOf(feature: Feature, uri: string): boolean {
  return (feature.kind === 'resource' && feature.uri === uri) || (feature.kind === 'resource-template' && feature.match(uri) !== undefined);
}

function ageOf({ readAt }: Snapshot): string {
  const seconds = Math.max(0, Math.round((Date.now() - readAt) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
