/**
 * Connections to servers, one for each caller and server. The calls of a caller meet the same process or session as long as it is used, and
 * never that of another caller: what a server keeps of a caller, and what it asks, reaches nobody else.
 */
import { randomUUID } from 'node:crypto';
import type { ServerConfig } from '../config/server-config.js';
import { connectServer } from './connect-server.js';
import type { ConnectedServer, ServerAbout } from './connected-server.js';
import type { Asking, ServerEvent, ServerHandlers, ServerLog } from './server-handlers.js';

/** How long a connection is kept that nobody uses. */
const IDLE_MS = 300_000;
/** Most connections to one server at the same time. */
const MAX_CONNECTIONS = 32;

export interface ServerPoolOptions {
  readonly idleMs?: number;
  readonly maxConnections?: number;
  readonly report?: (event: ServerEvent) => void;
  readonly lists?: ServerHandlers['lists'];
  /** The least severe messages that servers shall log. Absent: they decide. */
  readonly logLevel?: ServerHandlers['logLevel'];
  /** Called when a connection was opened, could not be opened, or is lost. */
  readonly onHealth?: (server: string, news: PoolNews) => void;
}

/** What has happened to a connection. Failures are said in words. */
export type PoolNews = { readonly about: ServerAbout } | { readonly failed: string } | { readonly lost: string };

/** A wish for a connection. */
export interface LeaseRequest {
  readonly config: ServerConfig;
  /** The caller: those with the same key share a connection. Absent: the connection is of this lease alone. */
  readonly key: string | undefined;
  /** Answers what the server asks during calls of this lease. */
  readonly handlers: Pick<ServerHandlers, 'elicitation' | 'sampling' | 'roots' | 'capabilities'>;
  /** Receives what the server logs during this lease. Nothing in a message says which call it is of: of several leases, the latest receives it. */
  readonly onLog?: (message: ServerLog) => void;
  /** Whether a call is one of this lease. */
  owns(callId: string): boolean;
}

/** A connection that may be used until it is released. */
export interface Lease {
  /** That of no other connection. */
  readonly id: string;
  readonly server: ConnectedServer;
  release(): void;
}

/** As many connections to a server are in use as there may be. */
export class TooManyConnections extends Error {
  override readonly name = 'TooManyConnections';

  constructor(server: string, most: number) {
    super(`The server "${server}" has ${most} connections in use, which is the limit; try again later.`);
  }
}

interface Pooled {
  readonly id: string;
  readonly key: string;
  readonly server: string;
  readonly opening: Promise<ConnectedServer>;
  readonly leases: Set<LeaseRequest>;
  /** When it was released the last time. */
  idleSince: number;
}

export class ServerPool {
  readonly #pooled = new Map<string, Pooled>();
  readonly #idleMs: number;
  readonly #maxConnections: number;
  #isClosed = false;
  #sweep: NodeJS.Timeout | undefined;

  constructor(private readonly options: ServerPoolOptions = {}) {
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  }

  /** @throws ServerStartError, TooManyConnections */
  async lease(request: LeaseRequest): Promise<Lease> {
    if (this.#isClosed) throw new Error('The connections to servers are closed.');
    const key = keyOf(request);
    const present = this.#pooled.get(key);
    const pooled = present ?? this.#open(key, request);
    pooled.leases.add(request);
    try {
      const server = await pooled.opening;
      if (server.endedByItself === undefined) return { id: pooled.id, server, release: () => this.#release(pooled, request) };
    } catch (error) {
      this.#forget(pooled);
      throw error;
    }
    this.#forget(pooled);
    return this.lease(request);
  }

  /** How many connections to a server are open, also those that nobody uses. */
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
    for (const pooled of dropped) this.#forget(pooled);
    await Promise.allSettled(dropped.map(async ({ opening }) => (await opening).drop(how)));
  }

  /** Ends all connections. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    await Promise.allSettled([...this.#pooled.values()].map((pooled) => this.#end(pooled)));
  }

  #open(key: string, { config, handlers }: LeaseRequest): Pooled {
    this.#makeRoom(config.name);
    const leases = new Set<LeaseRequest>();
    const { lists, logLevel } = this.options;
    const opening = connectServer(config, {
      ...routed(handlers, leases),
      ...(lists !== undefined && { lists }),
      ...(logLevel !== undefined && { logLevel }),
      report: (event) => {
        if (event.type === 'log') [...leases].at(-1)?.onLog?.(event);
        if (event.type === 'disconnected') this.#noteLoss(opening, event.reason);
        this.options.report?.(event);
      },
    });
    this.#noteOpening(config.name, opening);
    const pooled = { id: randomUUID(), key, server: config.name, opening, leases, idleSince: Date.now() };
    this.#pooled.set(key, pooled);
    this.#sweep ??= setInterval(() => this.#endIdle(Date.now() - this.#idleMs), Math.max(this.#idleMs / 4, 10)).unref();
    return pooled;
  }

  #noteOpening(server: string, opening: Promise<ConnectedServer>): void {
    opening.then(
      ({ about }) => this.options.onHealth?.(server, { about }),
      // Whoever waits for it hears of it.
      (error: unknown) => this.options.onHealth?.(server, { failed: error instanceof Error ? error.message : String(error) }),
    );
  }

  #noteLoss(opening: Promise<ConnectedServer>, reason: string): void {
    opening
      .then((server) => server.endedByItself !== undefined && this.options.onHealth?.(server.name, { lost: server.failure(reason) }))
      .catch(() => undefined); // It was never open, which is noted.
  }

  /** @throws TooManyConnections when all are in use */
  #makeRoom(server: string): void {
    const others = this.#of(server);
    if (others.length < this.#maxConnections) return;
    const [idle] = others.filter(({ leases }) => leases.size === 0).toSorted((a, b) => a.idleSince - b.idleSince);
    if (idle === undefined) throw new TooManyConnections(server, this.#maxConnections);
    void this.#end(idle);
  }

  #of(server: string): readonly Pooled[] {
    return [...this.#pooled.values()].filter((pooled) => pooled.server === server);
  }

  #release(pooled: Pooled, request: LeaseRequest): void {
    pooled.leases.delete(request);
    pooled.idleSince = Date.now();
    if (request.key === undefined && pooled.leases.size === 0) void this.#end(pooled);
  }

  #endIdle(before: number): void {
    for (const pooled of this.#pooled.values()) if (pooled.leases.size === 0 && pooled.idleSince <= before) void this.#end(pooled);
  }

  #forget(pooled: Pooled): void {
    if (this.#pooled.get(pooled.key) === pooled) this.#pooled.delete(pooled.key);
  }

  async #end(pooled: Pooled): Promise<void> {
    this.#forget(pooled);
    await pooled.opening.then(
      (server) => server.close(),
      () => undefined,
    );
  }
}

/** A server must not be offered what one of those who share its connection cannot answer. */
function keyOf({ config, key, handlers }: LeaseRequest): string {
  const { elicitation, sampling, roots, capabilities } = handlers;
  const kinds = [elicitation, sampling, roots].map((handler) => handler !== undefined);
  return JSON.stringify([config.name, key ?? randomUUID(), kinds, capabilities ?? null]);
}

/** Asks those whose call it is. */
function routed(handlers: LeaseRequest['handlers'], leases: ReadonlySet<LeaseRequest>): ServerHandlers {
  const askerOf = ({ callId }: Asking): LeaseRequest['handlers'] => {
    // What asks and is no call of a tool, such as a prompt, has no id.
    const only = leases.size === 1 ? [...leases][0] : undefined;
    const lease = callId === undefined ? only : [...leases].find((each) => each.owns(callId));
    if (lease === undefined) throw new Error('It is not known which call asks.');
    return lease.handlers;
  };
  const { elicitation, sampling, roots, capabilities } = handlers;
  const refuse = (): never => {
    throw new Error('The client cannot answer this.');
  };
  return {
    ...(capabilities !== undefined && { capabilities }),
    ...(elicitation !== undefined && {
      elicitation: async (params, asking) => (askerOf(asking).elicitation ?? refuse)(params, asking),
    }),
    ...(sampling !== undefined && { sampling: async (params, asking) => (askerOf(asking).sampling ?? refuse)(params, asking) }),
    ...(roots !== undefined && { roots: async (asking) => (askerOf(asking).roots ?? refuse)(asking) }),
  };
}
