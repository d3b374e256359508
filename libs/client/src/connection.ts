/**
 * Connects an SDK client, and sends the requests of this library over its transport. Requests that are safe to send again are sent again
 * when the connection breaks. When the server has forgotten the session, a new one is opened, as the specification requires. The SDK's
 * client stays the same object.
 */
import {
  Client,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { ClientError, RpcError, SessionLostError } from './errors.js';
import { greeted, greetingOf } from './greeting.js';
import type { Generation } from './generation.js';
import type { ConnectOptions, Target } from './options.js';
import type { KnownSession } from './session-keeper.js';
import { waitAtMost } from './waits.js';
import { Notifications } from './wire/notifications.js';
import { fetchWithoutNulls, withoutNulls } from './wire/null-as-absent.js';
import { delayMs, type RetryPolicy, withRetries } from './wire/retries.js';
import { type Params, RpcWire, type WireRequest } from './wire/rpc-wire.js';
import { StreamOrigins } from './wire/stream-origins.js';
import { shallowMessage } from './wire/shallow-message.js';
import { withoutUnusable } from './wire/usable-parts.js';
import { wireFailure } from './wire/wire-failure.js';

const PING_TIMEOUT_MS = 30_000;
const META = 'io.modelcontextprotocol';

export interface ConnectionOptions extends Pick<
  ConnectOptions,
  'generation' | 'legacyVersions' | 'probeTimeoutMs' | 'connectTimeoutMs' | 'transport' | 'keepsUnknown' | 'sessions'
> {
  readonly target: Target;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly retries: RetryPolicy;
  readonly onError: (error: Error) => void;
  readonly onWarning: (line: string) => void;
  /** Prepares the client before it connects. */
  readonly prepare: (connection: Connection) => void;
  /** A session that exists already; it is joined, and not replaced when it is lost. */
  readonly session?: { readonly id: string; readonly protocolVersion: string };
}

/** A request, and whether the server may get it twice. */
export interface Request extends WireRequest {
  readonly isRepeatable: boolean;
}

export class Connection {
  readonly client: Client;
  readonly notifications = new Notifications();
  /** The requests on whose streams questions of the server came. */
  readonly origins = new StreamOrigins();
  readonly retries: RetryPolicy;
  #wire: RpcWire | undefined;
  #transport: Transport | undefined;
  #renewal: Promise<void> | undefined;
  #lostSession = false;
  /** The id of the session that was used last. */
  #sessionId: string | undefined;

  private constructor(private readonly options: ConnectionOptions) {
    const { clientInfo, capabilities, generation, legacyVersions, probeTimeoutMs, session } = options;
    this.retries = options.retries;
    const legacy = session !== undefined || generation === '2025-11-25';
    const mode = legacy ? 'legacy' : generation === '2026-07-28' ? { pin: generation } : 'auto';
    const probe = probeTimeoutMs === undefined ? {} : { timeoutMs: probeTimeoutMs };
    this.client = new Client(clientInfo, {
      capabilities,
      versionNegotiation: { mode, probe },
      ...(legacyVersions !== undefined && { supportedProtocolVersions: [...legacyVersions] }),
    });
    this.client.onerror = options.onError;
    options.prepare(this);
  }

  /**
   * Connects.
   *
   * @throws ConnectionLostError if the server cannot be reached; what the SDK's client throws if no version suits both
   */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    await connection.#connect();
    return connection;
  }

  /** The protocol version that was agreed on. */
  get generation(): Generation {
    return this.client.getProtocolEra() === 'modern' ? '2026-07-28' : '2025-11-25';
  }

  /** The present session, if the server has sessions. */
  get session(): ConnectionOptions['session'] {
    const id = this.#transport?.sessionId;
    const protocolVersion = this.options.session?.protocolVersion ?? this.client.getNegotiatedProtocolVersion();
    return id === undefined || protocolVersion === undefined ? undefined : { id, protocolVersion };
  }

  get wire(): RpcWire {
    if (this.#wire === undefined) throw new ClientError('The client is not connected.');
    return this.#wire;
  }

  /**
   * Sends a request until it is answered.
   *
   * @throws RpcError; ConnectionLostError when it must not be sent again, or was sent too often
   */
  async request({ isRepeatable, ...request }: Request): Promise<unknown> {
    let losses = 0;
    return withRetries(
      this.retries,
      (error) => {
        if (error instanceof SessionLostError) return ++losses === 1;
        return (isRepeatable || error.effect === 'none') && (this.wire.isOpen || this.#lostSession);
      },
      request.signal,
      async () => {
        if (this.#lostSession) await this.#renew();
        const { wire } = this;
        try {
          return await wire.request(request);
        } catch (error) {
          if (error instanceof SessionLostError && this.options.session === undefined && wire === this.#wire) this.#lostSession = true;
          throw error;
        }
      },
    );
  }

  /** Whether requests have headers. */
  get hasHeaders(): boolean {
    return this.#transport instanceof StreamableHTTPClientTransport;
  }

  /** Ends the session, so that the server can forget it; tasks of the session become unreachable. */
  async endSession(): Promise<void> {
    if (!(this.#transport instanceof StreamableHTTPClientTransport)) return;
    if ((await this.options.sessions?.mayEnd()) !== false) await this.#transport.terminateSession();
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  async #connect(): Promise<void> {
    const { target, session, sessions, onWarning, connectTimeoutMs, keepsUnknown = false } = this.options;
    const known = await sessions?.find(this.#sessionId);
    const made = typeof target === 'function' ? target() : this.#httpTransport(target, known);
    const transport = mapMessages(made, (message) =>
      withoutUnusable(withoutNulls(shallowMessage(message, onWarning)), { warn: onWarning, keepsUnknown }),
    );
    try {
      await this.client.connect(transport, connectTimeoutMs === undefined ? {} : { timeout: connectTimeoutMs });
    } catch (error) {
      throw wireFailure(error, { id: '', method: 'the first request', hasSession: false });
    }
    this.#transport = transport;
    this.#wire = new RpcWire(transport, {
      notifications: this.notifications,
      retries: this.retries,
      onError: this.options.onError,
      ...(this.generation === '2026-07-28' && { envelope: this.#envelope() }),
    });
    this.#sessionId = transport.sessionId;
    if (known !== undefined && !(await isAlive(this.#wire))) return this.#connectAnew();
    if (session !== undefined || known !== undefined) void this.#openStandaloneStream(transport, this.#wire);
    else await sessions?.begun(this.#known());
  }

  /** The session that has just begun. */
  #known(): KnownSession | undefined {
    const [id, greeting] = [this.#sessionId, greetingOf(this)];
    return id === undefined || greeting === undefined ? undefined : { id, greeting };
  }

  #httpTransport(url: string | URL, known: KnownSession | undefined): Transport {
    const session = known && { id: known.id, protocolVersion: known.greeting.protocolVersion };
    const made = this.#transportTo(url, session ?? this.options.session);
    return known === undefined ? made : greeted(made, known.greeting);
  }

  #transportTo(url: string | URL, session: ConnectionOptions['session']): Transport {
    const { transport, retries } = this.options;
    return new StreamableHTTPClientTransport(new URL(url), {
      ...transport,
      fetch: fetchWithoutNulls(transport?.fetch ?? fetch, (request) => this.origins.listenerFor(request)),
      ...(session !== undefined && { sessionId: session.id, protocolVersion: session.protocolVersion }),
      reconnectionOptions: {
        maxRetries: retries.attempts,
        initialReconnectionDelay: retries.initialDelayMs,
        maxReconnectionDelay: retries.maxDelayMs,
        reconnectionDelayGrowFactor: 2,
      },
    });
  }

  /**
   * A client that joins a session does not open it by itself. Servers allow one standalone stream, so it may take a while until the stream
   * of a dead process is free. Tasks continue without it.
   */
  async #openStandaloneStream(transport: Transport, wire: RpcWire): Promise<void> {
    if (!(transport instanceof StreamableHTTPClientTransport)) return;
    for (let failures = 0; wire.isOpen && failures < this.retries.attempts;) {
      try {
        await transport.resumeStream('');
        return;
      } catch {
        // The client has heard of it, and so has `onError`.
        failures += 1;
        await waitAtMost(delayMs(this.retries, failures), wire.closed);
      }
    }
  }

  #envelope(): Params {
    const { clientInfo, capabilities } = this.options;
    return {
      [`${META}/protocolVersion`]: this.client.getNegotiatedProtocolVersion(),
      [`${META}/clientInfo`]: clientInfo,
      [`${META}/clientCapabilities`]: capabilities,
    };
  }

  async #connectAnew(): Promise<void> {
    await this.client.close();
    await this.#connect();
  }

  /** Opens a new session instead of the lost one. It does so once, also if many requests have noticed the loss. */
  #renew(): Promise<void> {
    this.#renewal ??= (async () => {
      await this.#connectAnew();
      this.#lostSession = false;
    })().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }
}

/** Whether the server still knows the session of another client. @throws ConnectionLostError if it cannot be asked */
async function isAlive(wire: RpcWire): Promise<boolean> {
  try {
    await wire.request({ method: 'ping', timeoutMs: PING_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof SessionLostError) return false;
    if (!(error instanceof RpcError)) throw error;
  }
  return true;
}

/** The transport with each message changed before it is received. */
function mapMessages<T extends Transport>(transport: T, change: (message: JSONRPCMessage) => JSONRPCMessage): T {
  let listener = transport.onmessage;
  return Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => listener,
    set(next: Transport['onmessage']) {
      listener = next && ((message: JSONRPCMessage, extra) => next(change(message), extra));
    },
  });
}
