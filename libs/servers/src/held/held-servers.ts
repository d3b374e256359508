/**
 * Connections that have one holder in the deployment. What a server keeps of a session is in the memory of its process, behind its only
 * stream, or behind the id of an HTTP session: all calls of the session have to meet it, whichever gateway or worker makes them.
 *
 * - A process, or a connection that is one stream: the first process of the deployment that needs it holds it. Others send their messages to
 *   the holder (`Line`, `MessageHub`). When the holder dies, its processes end with it, and the next that needs one starts another.
 * - An HTTP session is written down: every process continues it by itself (`SessionHolder`).
 *
 * A hold costs commands when it is taken, and in the background as long as it is had, but none for a call.
 */
import { greetingOf } from '@longhaul/client';
import type { Holds, Signals, TakenHold } from '@longhaul/sessions';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerConfig } from '../config/server-config.js';
import { connectServer, ownLink, ServerStartError } from '../connection/connect-server.js';
import type { ConnectedServer } from '../connection/connected-server.js';
import type { ServerHandlers } from '../connection/server-handlers.js';
import { HeldConnection, Loss } from './held-connection.js';
import { HeldName } from './held-name.js';
import type { Line } from './line.js';
import { joinLine } from './line-port.js';
import { ProcessLines } from './process-lines.js';
import { type Hello, RemoteLink, type Welcome } from './remote-link.js';
import { SessionHolder, sessionIn } from './session-holder.js';
import { SharedLink } from './shared-link.js';

/** After which a holder that is not heard of is dead. */
const LEASE_MS = 10_000;
/** How long to wait before another look at who holds something, or whether it is used. */
const LOOK_MS = 100;
/** How long a process that ends waits for the requests of others. */
const DRAIN_MS = 10_000;
/** Most processes that use a connection in addition to its holder. */
const MAX_USERS = 64;
const MAX_REMEMBERED = 1_000;

export interface HeldServersOptions {
  /** The id of this process. */
  readonly processId: string;
  readonly holds: Holds;
  readonly signals: Signals;
  /** Takes errors of the background. */
  readonly onError: (error: unknown) => void;
  /** @defaultValue 10 s */
  readonly leaseMs?: number;
}

/** A connection that this process holds, or a session that it continues. */
interface Entry {
  readonly held: HeldName;
  readonly epoch: number;
  readonly link: SharedLink;
  readonly opening: Promise<ConnectedServer>;
  /** Whether other processes need this one for it. */
  readonly isExclusive: () => boolean;
}

export class HeldServers {
  readonly #held = new Map<string, Entry>();
  readonly #ending = new Map<string, Promise<void>>();
  /** The epochs of what has ended by itself. */
  readonly #ended = new Map<string, number>();
  /** Servers that were seen to have no session: there is nothing to hold. */
  readonly #withoutSession = new Set<string>();
  readonly #id: string;
  readonly #lines: ProcessLines;
  readonly #leaseMs: number;
  #renewal: NodeJS.Timeout | undefined;
  #isStoreAway = false;

  constructor(private readonly options: HeldServersOptions) {
    const { processId, signals, onError } = options;
    // A container that is started again has the same name: what it held before is lost.
    this.#id = `${processId}-${randomUUID()}`;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    const onLine = (line: Line): void => {
      line.ontext = (text) => void this.#welcome(line, JSON.parse(text) as Hello).catch(onError);
    };
    this.#lines = new ProcessLines({ id: this.#id, signals, silenceMs: this.#leaseMs, onLine, onError });
  }

  /**
   * Connects to what is held under the name: by this process, if no other one has it. Not to be called for a name that is open already.
   *
   * @throws ServerStartError; TaskError `STORE_UNAVAILABLE`, `STORE_FULL`
   */
  async open(name: string, config: ServerConfig, handlers: ServerHandlers): Promise<HeldConnection> {
    if (this.#withoutSession.has(config.name)) return this.#openUnheld(name, config, handlers);
    const held = new HeldName(name, { holds: this.options.holds, holder: this.#id, leaseMs: this.#leaseMs });
    await this.#ending.get(name);
    await this.#lines.listen();
    for (const until = Date.now() + config.startTimeoutMs + this.#leaseMs; ; await wait(LOOK_MS)) {
      const taken = await held.take(this.#ended.get(name));
      this.#ended.delete(name);
      if (held.isOurs(taken) || sessionIn(taken) !== undefined) return this.#connect(held, taken, config, handlers);
      const connection = await this.#connectOver(taken.holder, { hold: name, epoch: taken.epoch }, config, handlers);
      if (connection !== undefined) return connection;
      const reason = `The server "${config.name}" did not start: the process that holds it cannot be reached.`;
      if (Date.now() > until) throw new ServerStartError(config.name, reason, {});
    }
  }

  /** Ends what is left. Never rejects. */
  async close(): Promise<void> {
    clearInterval(this.#renewal);
    await Promise.allSettled([...this.#held.values()].map((entry) => this.#end(entry)));
    await this.#lines.close();
  }

  /** A server may be replaced by one that has sessions. */
  async #openUnheld(name: string, config: ServerConfig, handlers: ServerHandlers): Promise<HeldConnection> {
    const server = await connectServer(config, handlers);
    if (server.keepsNothing) return new HeldConnection({ server, end: () => server.close() });
    this.#withoutSession.delete(config.name);
    await server.close();
    return this.open(name, config, handlers);
  }

  async #connect(held: HeldName, taken: TakenHold, config: ServerConfig, handlers: ServerHandlers): Promise<HeldConnection> {
    const loss = new Loss(taken.isAfterLoss);
    const link = new SharedLink(ownLink(config));
    const waits = { waitMs: config.startTimeoutMs, onLoss: () => loss.note() };
    const sessions = config.kind === 'url' ? new SessionHolder(held, taken, waits) : undefined;
    const opening = connectServer(config, handlers, { link, ...(sessions !== undefined && { sessions }) });
    const isExclusive = (): boolean => sessions === undefined || link.hub !== undefined;
    const entry: Entry = { held, epoch: taken.epoch, link, opening, isExclusive };
    this.#held.set(held.name, entry);
    this.#renewal ??= setInterval(() => void this.#renew(), this.#leaseMs / 4).unref();
    try {
      const server = await opening;
      if (isExclusive() || sessions?.hasNone !== true) return new HeldConnection({ server, loss, link, end: () => this.#end(entry) });
      this.#withoutSession.add(config.name);
      this.#held.delete(held.name);
      await held.release(taken.epoch, { isInUse: false });
      return new HeldConnection({ server, end: () => server.close() });
    } catch (error) {
      await this.#end(entry);
      throw error;
    }
  }

  /** @returns nothing if there is nothing at the other process, so that another look is needed */
  async #connectOver(holder: string, hello: Hello, config: ServerConfig, handlers: ServerHandlers): Promise<HeldConnection | undefined> {
    const line = this.#lines.open(holder);
    const answer = Promise.withResolvers<Welcome | undefined>();
    line.ontext = (text) => answer.resolve(JSON.parse(text) as Welcome);
    line.onend = () => answer.resolve(undefined);
    line.send(JSON.stringify(hello));
    const welcome = await answer.promise;
    if (welcome?.kind !== 'connected' || line.isEnded) {
      line.end('it is not used', false);
      if (welcome?.kind === 'refused') throw new ServerStartError(config.name, welcome.reason, {});
      return undefined;
    }
    const link = new RemoteLink(line, welcome.greeting);
    try {
      const server = await connectServer({ ...config, protocolVersion: welcome.generation }, handlers, { link });
      return new HeldConnection({ server, end: () => server.close() });
    } catch (error) {
      if (link.endedByItself === undefined) throw error;
      return undefined;
    }
  }

  /** Answers another process that wants to use what this one holds. */
  async #welcome(line: Line, { hold, epoch }: Hello): Promise<void> {
    const answer = (welcome: Welcome): void => {
      if (line.isEnded) return;
      line.send(JSON.stringify(welcome));
    };
    const entry = this.#held.get(hold);
    if (entry === undefined || entry.epoch !== epoch) return answer({ kind: 'look-again' });
    try {
      const { client } = await entry.opening;
      if (line.isEnded) return;
      if (entry.link.hub === undefined) return answer({ kind: 'look-again' });
      if (entry.link.hub.ports > MAX_USERS) throw new Error(`At most ${MAX_USERS} processes use a server that another one holds.`);
      answer({ kind: 'connected', generation: client.generation, greeting: greetingOf(client) });
      joinLine(line, entry.link);
    } catch (error) {
      answer({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #end(entry: Entry): Promise<void> {
    const { name } = entry.held;
    if (this.#held.get(name) !== entry) return Promise.resolve();
    this.#held.delete(name);
    const ending = this.#bringToEnd(entry)
      .catch(this.options.onError)
      .finally(() => this.#ending.delete(name));
    this.#ending.set(name, ending);
    return ending;
  }

  async #bringToEnd({ held, epoch, link, opening, isExclusive }: Entry): Promise<void> {
    const server = await opening.catch(() => undefined);
    const isUsed = (): boolean => server?.endedByItself === undefined && link.hub?.isBusyForOthers === true;
    for (const until = Date.now() + DRAIN_MS; isUsed() && Date.now() < until;) await wait(LOOK_MS);
    await server?.close();
    if (!isExclusive()) await held.release(epoch, { isInUse: true });
    else if (server?.isLost !== true) await held.release(epoch, { isInUse: false });
    else {
      if (this.#ended.size >= MAX_REMEMBERED) this.#ended.clear();
      this.#ended.set(held.name, epoch);
      await held.giveUp();
    }
  }

  /** Never rejects. */
  async #renew(): Promise<void> {
    try {
      await Promise.all([...this.#held.values()].map((entry) => this.#renewOne(entry)));
      this.#isStoreAway = false;
    } catch (error) {
      if (!this.#isStoreAway) this.options.onError(error);
      this.#isStoreAway = true;
    }
  }

  async #renewOne(entry: Entry): Promise<void> {
    const { held, epoch, opening, isExclusive } = entry;
    const taken = await held.take();
    if (!isExclusive() || (held.isOurs(taken) && taken.epoch === epoch) || this.#held.get(held.name) !== entry) return;
    // This process was silent for so long that another one has started the server again.
    const server = await opening.catch(() => undefined);
    await server?.drop('is held by another process now');
  }
}
