import type { DeadWorker, Heartbeat, RegisteredWorker, WorkerRegistry, WorkerTimes } from '@longhaul/tasks';
import { CUT_SHARE, DEFAULT_WORKER_TIMES, detailsOf, storedWorker, type WorkerStanding } from '@longhaul/tasks/store';
import {
  closeConnection,
  defineScript,
  flushWrites,
  type RedisAccess,
  type RedisClient,
  type RedisServer,
  type RunScript,
} from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { BEAT, FORGET_WORKER, LIVE, STANDING } from './worker-registry.lua.js';
import { whileReachable } from './store-fault.js';

/** How long a deployment without any worker is remembered, so that the next worker can take over the work of the last one. */
const TTL_MS = 3_600_000;
/** The last beat of a worker that left. */
const LEFT = 0;

/** Dependencies of the registry. */
export interface RedisWorkerRegistryDeps {
  readonly redis: RedisClient;
  /** Opens another connection for commands, and knows the server that has the registry, which is asked for connections to it. */
  readonly access: Pick<RedisAccess, 'another' | 'serverOf'>;
  /** Called when no other connection can be opened. It is tried again. */
  readonly onError: (error: unknown) => void;
  readonly keys: RedisKeys;
  /** Called once if the server refuses to say that, with one line. */
  readonly onNotice: (line: string) => void;
  readonly times?: WorkerTimes | undefined;
}

const REFUSED =
  'Redis does not say which clients are connected (CLIENT ID, CLIENT LIST): the death of a worker is noticed after 4 s. Let its user run +client|id +client|list to have it noticed after a second.';

/**
 * `WorkerRegistry` on Redis: a sorted set by the time of the last beat, and a hash of the workers' descriptions of themselves with the ids
 * of their connections. Redis closes the connection of a process that dies at once, and says so when it is asked; of a cluster, the server
 * that has the registry. Connections to another server, which had it before, are not asked for.
 */
export class RedisWorkerRegistry implements WorkerRegistry {
  readonly times: WorkerTimes;
  readonly #beat: RunScript<typeof BEAT>;
  readonly #live: RunScript<typeof LIVE>;
  readonly #standing: RunScript<typeof STANDING>;
  readonly #forget: RunScript<typeof FORGET_WORKER>;
  /**
   * After the first beat, a connection that is used only for the message that the worker leaves: in the last turn of a process's event
   * loop, TLS sends only the first write to a connection.
   */
  #forLastWord: RedisClient | undefined;
  #opening: Promise<void> | undefined;
  readonly #keys: { readonly seen: string; readonly details: string };
  /** The server that has the registry, as of the latest beat. */
  #server: RedisServer | undefined;
  /** Which server the connection that beats is to, and its id there; nothing while that is not known. No beat waits for it but the first. */
  #connection: string | undefined;
  readonly #learnt: Promise<void>;
  readonly #listeners = new Set<(isThere: boolean) => void>();
  #tellsConnections = true;
  /** Whether the listeners have heard that the connection has ended, and not yet of another one. */
  #isCut = false;
  /** Workers whose connections have ended, as of the latest beat. */
  #cut: ReadonlySet<string> = new Set();

  constructor(private readonly deps: RedisWorkerRegistryDeps) {
    this.times = deps.times ?? DEFAULT_WORKER_TIMES;
    this.#keys = { seen: deps.keys.workersSeen(), details: deps.keys.workersDetails() };
    this.#beat = defineScript(deps.redis, BEAT);
    this.#live = defineScript(deps.redis, LIVE);
    this.#standing = defineScript(deps.redis, STANDING);
    this.#forget = defineScript(deps.redis, FORGET_WORKER);
    this.#learnt = this.#findServer();
  }

  onConnection(listener: (isThere: boolean) => void): void {
    this.#listeners.add(listener);
  }

  async beat(worker: RegisteredWorker): Promise<Heartbeat> {
    const { workerId } = worker;
    const { deadAfterMs } = this.times;
    await this.#learnt;
    void this.#findServer();
    const workerDetails = detailsOf(worker, this.#connection);
    const args = { workerId, workerDetails, deadAfterMs, askedAfterMs: deadAfterMs * CUT_SHARE.asked, ttlMs: TTL_MS };
    const { known, silentMs, quiet, dead: entries } = await whileReachable(() => this.#beat(this.#keys, args));
    this.#opening ??= this.#openForLastWord();
    const [silentOnes, deadOnes] = [silentIn(quiet), silentIn(entries)];
    const cut = await this.#cutOf([...silentOnes, ...deadOnes.filter(({ ms }) => ms !== LEFT)]);
    const soonDead = silentOnes.filter((one) => cut.has(one) && one.ms >= this.#cutAfterMs);
    this.#cut = new Set(soonDead.map((one) => one.worker.workerId));
    const dead = [...soonDead, ...deadOnes].map((one): DeadWorker => {
      const { worker: dying, ms } = one;
      return cut.has(one) ? { worker: dying, left: false, ended: 'connection' } : { worker: dying, left: ms === LEFT };
    });
    return { known, silentMs, dead, ...(silentOnes.some((one) => cut.has(one)) && { isOneCut: true }) };
  }

  get #cutAfterMs(): number {
    return this.times.deadAfterMs * CUT_SHARE.dead;
  }

  /** Finds the server that has the registry: on a cluster it may be another one, or be reached by a new connection. Never rejects. */
  async #findServer(): Promise<void> {
    const server = this.deps.access.serverOf(this.#keys.seen);
    if (server?.redis === this.#server?.redis) return;
    if (this.#server !== undefined) this.#loseConnection();
    this.#server = server;
    if (server === undefined) return;
    const whileItHasIt = (act: () => void) => () => void (this.#server === server && act());
    server.redis.on(
      'close',
      whileItHasIt(() => this.#loseConnection()),
    );
    server.redis.on(
      'ready',
      whileItHasIt(() => void this.#takeConnection(server)),
    );
    if (server.redis.status === 'ready') await this.#takeConnection(server);
  }

  #loseConnection(): void {
    this.#connection = undefined;
    this.#isCut = true;
    for (const listener of this.#listeners) listener(false);
  }

  /** Learns the id of a new connection. Never rejects. */
  async #takeConnection(server: RedisServer): Promise<void> {
    const id = this.#tellsConnections
      ? await this.#unlessRefused(async () => (await server.redis.call('CLIENT', 'ID')) as number)
      : undefined;
    if (this.#server !== server || server.redis.status !== 'ready') return;
    this.#connection = id === undefined ? undefined : `${server.name} ${id}`;
    if (!this.#isCut) return;
    this.#isCut = false;
    for (const listener of this.#listeners) listener(true);
  }

  /** Those of them whose connections have ended. */
  async #cutOf(silent: readonly Silent[]): Promise<ReadonlySet<Silent>> {
    const server = this.#server;
    const here = silent.filter(({ connection }) => server !== undefined && connection?.startsWith(`${server.name} `));
    if (server === undefined || here.length === 0 || !this.#tellsConnections) return new Set();
    const idOf = ({ connection = '' }: Silent): string => connection.slice(server.name.length + 1);
    const listed = await this.#unlessRefused(async () => (await server.redis.call('CLIENT', 'LIST', 'ID', ...here.map(idOf))) as string);
    if (listed === undefined) return new Set();
    const present = new Set(Array.from(listed.matchAll(/^id=(\d+) /gm), ([, id]) => id));
    return new Set(here.filter((one) => !present.has(idOf(one))));
  }

  /** What the server replies; nothing if it does not let this client ask, or has not answered. */
  async #unlessRefused<Reply>(ask: () => Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError' && this.#tellsConnections) {
        this.#tellsConnections = false;
        this.deps.onNotice(REFUSED);
      }
      return undefined;
    }
  }

  async live(): Promise<readonly RegisteredWorker[]> {
    return (await whileReachable(() => this.#live(this.#keys, { deadAfterMs: this.times.deadAfterMs }))).map(parsed);
  }

  async standing(workerId: string): Promise<WorkerStanding> {
    return whileReachable(() => this.#standing(this.#keys, { workerId, deadAfterMs: this.times.deadAfterMs }));
  }

  leave(workerId: string): void {
    const redis = this.#forLastWord?.status === 'ready' ? this.#forLastWord : this.deps.redis;
    if (redis.status !== 'ready') return;
    // XX: a worker that was forgotten already stays forgotten. Not a script: a server that does not know it would need a second call.
    redis.zadd(this.#keys.seen, 'XX', LEFT, workerId).catch(() => undefined);
    flushWrites(redis);
  }

  /** Ends the connection that it has opened. */
  async close(): Promise<void> {
    await this.#opening;
    if (this.#forLastWord !== undefined) await closeConnection(this.#forLastWord);
  }

  async #openForLastWord(): Promise<void> {
    try {
      this.#forLastWord = await this.deps.access.another();
    } catch (error) {
      this.deps.onError(error);
      this.#opening = undefined;
    }
  }

  forget(workerId: string): Promise<boolean> {
    const deadAfterMs = this.#cut.has(workerId) ? this.#cutAfterMs : this.times.deadAfterMs;
    return whileReachable(() => this.#forget(this.#keys, { workerId, deadAfterMs }));
  }
}

/** A silent worker. */
interface Silent {
  readonly worker: RegisteredWorker;
  readonly connection?: string;
  /** How long it has been silent, or when a dead one was last seen. */
  readonly ms: number;
}

/** In turn the details of each, and its number. */
function silentIn(entries: readonly string[]): readonly Silent[] {
  return entries.flatMap((details, index) => (index % 2 === 0 ? [{ ...storedWorker(details), ms: Number(entries[index + 1]) }] : []));
}

function parsed(details: string): RegisteredWorker {
  return storedWorker(details).worker;
}
