/**
 * Keeps a server connected. One that ends, such as after some idle minutes, is connected again soon, or at once when it is needed. One that
 * ends again and again, or cannot be connected, is tried at longer and longer intervals, and no caller waits for it.
 *
 * The end of a process or of a stream shows by itself. Any other URL is asked whether it is there, and has ended when it does not answer twice
 * in a row: a server may be busy for a while.
 */
import type { ServerConfig } from '../config/server-config.js';
import { connectServer, listingLink, reasonOf } from './connect-server.js';
import type { ConnectedServer, ServerAbout } from './connected-server.js';
import type { ServerEvent, ServerHandlers } from './server-handlers.js';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** After so long a connection, the next failure counts as the first one. */
const STEADY_MS = 60_000;
/** How often a URL is asked whether it is there, and how long it may take to answer. */
const CHECKS = { everyMs: 30_000, againMs: 5_000, timeoutMs: 10_000 };

/** The state of a server. */
export interface ServerHealth {
  readonly state: 'connecting' | 'connected' | 'away' | 'closed';
  /** Since when it is so, epoch milliseconds. */
  readonly since: number;
  /** How often it was connected after the first time. */
  readonly restarts: number;
  /** Why it was not connected, or has ended, the last time. */
  readonly lastError?: string;
  /** When that was, epoch milliseconds. */
  readonly lastErrorAt?: number;
  /** Its own description of itself, of now or of the last connection. */
  readonly about?: ServerAbout;
  /** When it is tried again, epoch milliseconds; nothing unless it is away. */
  readonly triedAgainAt?: number;
}

/** A server cannot be reached now, and is tried again by itself. */
export class ServerAwayError extends Error {
  override readonly name = 'ServerAwayError';

  constructor(
    readonly server: string,
    { lastError = 'it is not connected', triedAgainAt }: ServerHealth,
  ) {
    const inMs = Math.max(0, (triedAgainAt ?? 0) - Date.now());
    super(`The server "${server}" is away: ${lastError}. It is tried again in ${Math.ceil(inMs / 1_000)} s.`);
  }
}

export interface KeptServerOptions extends ServerHandlers {
  /** Called after each change of the health. */
  readonly onHealth?: (health: ServerHealth) => void;
  /** Makes the intervals shorter. @defaultValue 1 s, twice as long after each failure, at most 60 s */
  readonly pauses?: { readonly firstMs: number; readonly maxMs: number };
  /** @defaultValue every 30 s, again 5 s after a failure, for 10 s at most */
  readonly checks?: { readonly everyMs: number; readonly againMs: number; readonly timeoutMs: number };
}

export class KeptServer {
  #health: ServerHealth = { state: 'away', since: Date.now(), restarts: 0 };
  #connecting: Promise<ConnectedServer> | undefined;
  #connected: ConnectedServer | undefined;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;
  #isClosed = false;
  #hasBeen = false;

  constructor(
    readonly config: ServerConfig,
    private readonly options: KeptServerOptions = {},
  ) {}

  get name(): string {
    return this.config.name;
  }

  get health(): ServerHealth {
    return this.#health;
  }

  /** The connection, if there is one. */
  get present(): ConnectedServer | undefined {
    return this.#connected;
  }

  /**
   * The connection. Many who ask at the same time start one process.
   *
   * @throws ServerAwayError while it is away after a failure; ServerStartError when this try to connect it fails
   */
  async connected(): Promise<ConnectedServer> {
    if (this.#isClosed) throw new Error(`The server "${this.name}" is not wanted any more.`);
    if (this.#connected !== undefined) return this.#connected;
    if (this.#connecting === undefined && this.#failures > 1) throw new ServerAwayError(this.name, this.#health);
    this.#stopRetry();
    this.#connecting ??= this.#connectOnce();
    return this.#connecting;
  }

  /** Connects it now, also while it would be left alone for longer. @throws ServerStartError */
  async restart(): Promise<ConnectedServer> {
    this.#stopRetry();
    this.#failures = 0;
    await this.#connecting?.catch(() => undefined);
    const before = this.#connected;
    this.#connected = undefined;
    await before?.close();
    return this.connected();
  }

  /** Ends the connection, and tries no more. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopRetry();
    clearTimeout(this.#check);
    await this.#connecting?.catch(() => undefined);
    await this.#connected?.close();
    this.#connected = undefined;
    this.#becomes('closed');
  }

  #connectOnce(): Promise<ConnectedServer> {
    return this.#connect().finally(() => {
      this.#connecting = undefined;
    });
  }

  async #connect(): Promise<ConnectedServer> {
    this.#becomes('connecting');
    const beganAt = Date.now();
    let server: ConnectedServer | undefined;
    let isGone = false;
    const gone = (reason: string): void => {
      isGone = true;
      if (server !== undefined && this.#connected === server) this.#lost(reason, beganAt);
    };
    try {
      const handlers = { ...this.options, report: (event: ServerEvent) => this.#report(event, gone) };
      server = await connectServer(this.config, handlers, { link: listingLink(this.config) });
      if (isGone) throw new Error('it ended at once');
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
    if (this.#isClosed) {
      await server.close();
      throw new Error(`The server "${this.name}" is not wanted any more.`);
    }
    this.#connected = server;
    this.#becomes('connected', { restarts: this.#health.restarts + (this.#hasBeen ? 1 : 0), about: server.about });
    this.#hasBeen = true;
    if (server.hasNoStream) this.#checkLater(server, (reason) => this.#lost(reason, beganAt));
    return server;
  }

  /** @param failures checks that have failed in a row */
  #checkLater(server: ConnectedServer, gone: (reason: string) => void, failures = 0): void {
    const { everyMs, againMs, timeoutMs } = this.options.checks ?? CHECKS;
    const check = async (): Promise<void> => {
      try {
        await server.check(timeoutMs);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures > 1 && this.#connected === server) return gone(`its URL does not answer: ${reasonOf(error)}`);
      }
      if (this.#connected === server) this.#checkLater(server, gone, failures);
    };
    clearTimeout(this.#check);
    this.#check = setTimeout(() => void check(), failures === 0 ? everyMs : againMs).unref();
  }

  #report(event: ServerEvent, gone: (reason: string) => void): void {
    this.options.report?.(event);
    if (event.type === 'disconnected') gone(event.reason);
  }

  #lost(reason: string, beganAt: number): void {
    const lost = this.#connected;
    clearTimeout(this.#check);
    this.#connected = undefined;
    void lost?.close();
    if (this.#isClosed) return;
    if (Date.now() - beganAt >= STEADY_MS) this.#failures = 0;
    this.#failed(lost?.failure(reason) ?? reason);
  }

  #failed(reason: string): void {
    if (this.#isClosed) return;
    const { firstMs, maxMs } = this.options.pauses ?? { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS };
    const pauseMs = Math.min(firstMs * 2 ** this.#failures, maxMs);
    this.#failures += 1;
    this.#stopRetry();
    this.#retry = setTimeout(() => {
      this.#connecting ??= this.#connectOnce();
      this.#connecting.catch(() => undefined); // It is noted in the health.
    }, pauseMs).unref();
    this.#becomes('away', { lastError: reason, lastErrorAt: Date.now(), triedAgainAt: Date.now() + pauseMs });
  }

  #stopRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #becomes(state: ServerHealth['state'], more: Partial<ServerHealth> = {}): void {
    const { triedAgainAt: _triedAgainAt, ...lasting } = this.#health;
    this.#health = { ...lasting, state, since: Date.now(), ...more };
    this.options.onHealth?.(this.#health);
  }
}
