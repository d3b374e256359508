/**
 * Connections to servers, one for each caller and server. The calls of a caller meet the same process or session as long as it is used, and
 * never that of another caller: what a server keeps of a caller, and what it asks, reaches nobody else. With `held`, that is so in the whole
 * deployment.
 *
 * A call of an unknown caller has a connection of its own. After the first one, a fresh connection waits for the next: no call has been
 * made on it, so nothing of a caller is there.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { ServerConfig } from '../config/server-config.js';
import { HeldConnection, Loss } from '../held/held-connection.js';
import type { HeldServers } from '../held/held-servers.js';
import type { Credentials } from '../auth/credentials.js';
import { connectServer, linkWith } from '../connection/connect-server.js';
import type { ConnectedServer, ServerAbout } from '../connection/connected-server.js';
import type { ServerLink } from '../transports/server-link.js';
import { offeredTo, routed, type Sharer } from './routed-handlers.js';
import type { ServerEvent, ServerHandlers, ServerLog } from '../connection/server-handlers.js';

/** How long an unused connection is kept. */
const IDLE_MS = 300_000;
/** Most connections to one server at the same time. */
const MAX_CONNECTIONS = 32;
/** Of those, the part that one account may have in use. */
const PART_OF_ACCOUNT = 1 / 2;
/** Names of connections that were lost, for those who use them next. */
const MAX_LOST = 1_000;

export interface ServerPoolOptions {
  readonly idleMs?: number;
  readonly maxConnections?: number;
  readonly report?: (event: ServerEvent) => void;
  readonly lists?: ServerHandlers['lists'];
  /** The least severe messages that servers shall log. Absent: they decide. */
  readonly logLevel?: ServerHandlers['logLevel'];
  /** Called when a connection was opened, could not be opened, or is lost. */
  readonly onHealth?: (server: string, news: PoolNews) => void;
  /** Connections that the deployment shares. Absent: each process has connections of its own. */
  readonly held?: () => HeldServers | undefined;
}

/** A change of a connection. Failures are texts. */
export type PoolNews = { readonly about: ServerAbout } | { readonly failed: string } | { readonly lost: string };

/** A wish for a connection. */
export interface LeaseRequest extends Sharer {
  readonly config: ServerConfig;
  /** The caller: those with the same key share a connection. Absent: the connection is of this lease alone. */
  readonly key: string | undefined;
  /** Under which the connection is counted. Absent: it belongs to no account. */
  readonly account?: string | undefined;
  /** The caller's own credentials at the server, instead of the shared ones. No other caller uses the connection then. */
  readonly credentials?: Credentials | undefined;
  /** Receives what the server logs during this lease. Nothing in a message says which call it is of: of several leases, the latest receives it. */
  readonly onLog?: (message: ServerLog) => void;
}

/** A connection that may be used until it is released. */
export interface Lease {
  /** That of no other connection. */
  readonly id: string;
  readonly server: ConnectedServer;
  /** Whether the server's state of earlier calls is lost, and no result has said so: the next result must say it. */
  takeLoss(): boolean;
  release(): void;
}

/** As many connections to a server are in use as there may be. */
export class TooManyConnections extends Error {
  override readonly name = 'TooManyConnections';

  constructor(server: string, most: number, whose: 'of all' | 'of one caller') {
    const used = whose === 'of all' ? `has ${most} connections in use` : `has ${most} connections in use for this caller`;
    super(`The server "${server}" ${used}, which is the limit; try again later.`);
  }
}

interface Pooled {
  readonly id: string;
  key: string;
  readonly server: string;
  account: string | undefined;
  readonly opening: Promise<HeldConnection>;
  readonly leases: Set<LeaseRequest>;
  /** Once it is open. */
  connection?: HeldConnection;
  /** When it was used the last time. */
  idleSince: number;
}

export class ServerPool {
  readonly #pooled = new Map<string, Pooled>();
  readonly #lost = new Set<string>();
  readonly #idleMs: number;
  readonly #maxConnections: number;
  #isClosed = false;
  #sweep: NodeJS.Timeout | undefined;

  constructor(private readonly options: ServerPoolOptions = {}) {
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  }

  /** @throws ServerStartError, TooManyConnections; TaskError `STORE_UNAVAILABLE` where the deployment holds it together */
  async lease(request: LeaseRequest): Promise<Lease> {
    if (this.#isClosed) throw new Error('The connections to servers are closed.');
    const key = request.key === undefined ? freshName(request, randomUUID()) : nameOf(request.config, request.key);
    const pooled = this.#pooled.get(key) ?? (mayUseSpare(request) ? this.#takeSpare(request, key) : undefined) ?? this.#open(key, request);
    pooled.leases.add(request);
    let connection: HeldConnection;
    try {
      connection = await pooled.opening;
    } catch (error) {
      this.#forget(pooled);
      throw error;
    }
    const { server, loss } = connection;
    if (server.endedByItself !== undefined) {
      if (server.isLost) this.#noteLoss(pooled, request);
      void this.#end(pooled);
      return this.lease(request);
    }
    if (mayUseSpare(request)) this.#prepareSpare(request);
    const takeLoss = (): boolean => loss.take() && !request.config.stateless;
    return { id: pooled.id, server, takeLoss, release: () => this.#release(pooled, request) };
  }

  /** How many connections to a server are open, also unused ones. */
  connectionsTo(server: string): number {
    return this.#of(server).length;
  }

  /**
   * Ends all connections to a server, and what they do: to their calls the server is lost. Never rejects.
   *
   * @param how they ended, such as `was ended by an operator`
   */
  async drop(server: string, how: string): Promise<void> {
    const dropped = this.#of(server);
    await Promise.allSettled(
      dropped.map(async (pooled) => {
        await (await pooled.opening).server.drop(how);
        await this.#end(pooled);
      }),
    );
  }

  /** Ends all connections. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    await Promise.allSettled([...this.#pooled.values()].map((pooled) => this.#end(pooled)));
  }

  /** @throws TooManyConnections */
  #open(key: string, { config, handlers, account, credentials, key: caller }: Omit<LeaseRequest, 'owns'>): Pooled {
    this.#makeRoom(config.name, account);
    const leases = new Set<LeaseRequest>();
    const { lists, logLevel } = this.options;
    const all: ServerHandlers = {
      ...routed(handlers, leases),
      ...(lists !== undefined && { lists }),
      ...(logLevel !== undefined && { logLevel }),
      report: (event) => {
        if (event.type === 'log') [...leases].at(-1)?.onLog?.(event);
        if (event.type === 'disconnected') this.#reportLoss(opening, event.reason);
        this.options.report?.(event);
      },
    };
    // What holds a connection for other processes would have to know the token of the caller.
    const isHeld = caller !== undefined && !config.stateless && credentials === undefined;
    const held = isHeld ? this.options.held?.() : undefined;
    const link = credentials && linkWith(config, credentials);
    const opening =
      held === undefined
        ? this.#connect(key, config, all, link)
        : held.open(createHash('sha256').update(key).digest('base64url'), config, all);
    const pooled: Pooled = { id: randomUUID(), key, server: config.name, account, opening, leases, idleSince: Date.now() };
    void this.#reportOpening(pooled);
    this.#pooled.set(key, pooled);
    this.#sweep ??= setInterval(() => this.#endIdle(Date.now() - this.#idleMs), Math.max(this.#idleMs / 4, 10)).unref();
    return pooled;
  }

  async #reportOpening(pooled: Pooled): Promise<void> {
    const { server, opening } = pooled;
    try {
      pooled.connection = await opening;
      this.options.onHealth?.(server, { about: pooled.connection.server.about });
    } catch (error) {
      // Whoever waits for it hears of it.
      this.options.onHealth?.(server, { failed: error instanceof Error ? error.message : String(error) });
    }
  }

  #reportLoss(opening: Promise<HeldConnection>, reason: string): void {
    opening
      .then(({ server }) => server.endedByItself !== undefined && this.options.onHealth?.(server.name, { lost: server.failure(reason) }))
      .catch(() => undefined); // It was never open, which is noted.
  }

  async #connect(key: string, config: ServerConfig, handlers: ServerHandlers, link: ServerLink | undefined): Promise<HeldConnection> {
    const server = await connectServer(config, handlers, link === undefined ? {} : { link });
    return new HeldConnection({ server, loss: new Loss(this.#lost.delete(key)), end: () => server.close() });
  }

  /** A connection that no call was made on. The lease gets it. */
  #takeSpare(request: LeaseRequest, key: string): Pooled | undefined {
    const spare = this.#pooled.get(freshName(request, SPARE));
    if (spare === undefined || spare.connection?.server.endedByItself !== undefined) return undefined;
    // It may refuse the lease: the spare connection stays then.
    this.#requireRoomOf(request.config.name, request.account);
    this.#pooled.delete(spare.key);
    spare.key = key;
    spare.account = request.account;
    this.#pooled.set(key, spare);
    return spare;
  }

  #prepareSpare({ config, handlers }: LeaseRequest): void {
    const key = freshName({ config, handlers }, SPARE);
    if (this.#isClosed || this.#pooled.has(key) || this.#of(config.name).length >= this.#maxConnections) return;
    const spare = this.#open(key, { config, handlers, key: undefined });
    // The next call tries for itself.
    spare.opening.catch(() => this.#forget(spare));
  }

  /** @throws TooManyConnections when all are in use */
  #makeRoom(server: string, account: string | undefined): void {
    this.#requireRoomOf(server, account);
    const others = this.#of(server);
    if (others.length < this.#maxConnections) return;
    const idle = longestIdle(others);
    if (idle === undefined) throw new TooManyConnections(server, this.#maxConnections, 'of all');
    void this.#end(idle);
  }

  /** One caller must not have them all. @throws TooManyConnections when all of the account are in use */
  #requireRoomOf(server: string, account: string | undefined): void {
    if (account === undefined) return;
    const own = this.#of(server).filter((pooled) => pooled.account === account);
    const most = Math.ceil(this.#maxConnections * PART_OF_ACCOUNT);
    if (own.length < most) return;
    const idle = longestIdle(own);
    if (idle === undefined) throw new TooManyConnections(server, most, 'of one caller');
    void this.#end(idle);
  }

  #of(server: string): readonly Pooled[] {
    return [...this.#pooled.values()].filter((pooled) => pooled.server === server);
  }

  #release(pooled: Pooled, request: LeaseRequest): void {
    pooled.leases.delete(request);
    pooled.idleSince = Date.now();
    if (request.key !== undefined || pooled.leases.size > 0) return;
    const spareKey = freshName(request, SPARE);
    const mayBeSpare =
      mayUseSpare(request) && pooled.connection?.server.keepsNothing === true && !this.#pooled.has(spareKey) && !this.#isClosed;
    if (!mayBeSpare) return void this.#end(pooled);
    this.#forget(pooled);
    pooled.key = spareKey;
    pooled.account = undefined;
    this.#pooled.set(spareKey, pooled);
  }

  #endIdle(before: number): void {
    for (const pooled of this.#pooled.values()) {
      if (pooled.connection?.isUsedElsewhere === true) pooled.idleSince = Date.now();
      else if (pooled.leases.size === 0 && pooled.idleSince <= before) void this.#end(pooled);
    }
  }

  #noteLoss({ key }: Pooled, { config }: LeaseRequest): void {
    if (config.kind !== 'stdio' && config.transport !== 'sse') return;
    if (this.#lost.size >= MAX_LOST) this.#lost.clear();
    this.#lost.add(key);
  }

  #forget(pooled: Pooled): void {
    if (this.#pooled.get(pooled.key) === pooled) this.#pooled.delete(pooled.key);
  }

  async #end(pooled: Pooled): Promise<void> {
    this.#forget(pooled);
    await pooled.opening.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }
}

const SPARE = 'spare';

/** A connection with the credentials of a caller is for that caller only, even before the first call. */
function mayUseSpare({ key, credentials }: Pick<LeaseRequest, 'key' | 'credentials'>): boolean {
  return key === undefined && credentials === undefined;
}

/** The texts of entries: each call needs one. */
const ENTRIES = new WeakMap<ServerConfig, string>();

/**
 * The name of a connection. One of another entry of the file is another one. All who share it meet one state, so what a server may ask is what
 * the first of them can answer; a question that another one cannot answer is refused.
 */
function nameOf(config: ServerConfig, ...key: readonly string[]): string {
  const entry = ENTRIES.get(config) ?? JSON.stringify(config);
  ENTRIES.set(config, entry);
  return JSON.stringify([entry, ...key]);
}

/** The name of a connection with one user: its server is offered what its only user can answer. */
function freshName({ config, handlers }: Pick<LeaseRequest, 'config' | 'handlers'>, key: string): string {
  return nameOf(config, key, offeredTo(handlers));
}

/** The unused connection to end; one that another process could use only if there is no other. */
function longestIdle(pooled: readonly Pooled[]): Pooled | undefined {
  const idle = pooled.filter(({ leases, connection }) => leases.size === 0 && connection?.isBusyElsewhere !== true);
  return idle.toSorted((a, b) => rank(a) - rank(b) || a.idleSince - b.idleSince)[0];
}

function rank({ connection }: Pooled): number {
  return connection?.isUsedElsewhere === true ? 1 : 0;
}
