import { connectRedisStore, gatewayKeys, type GatewayKeys, type RedisStore, RedisKeys } from '@longhaul/store-redis';
import type { TaskId, TaskView } from '@longhaul/tasks';
import { queuedJobs } from '../queued-jobs.js';
import type { TestRedis } from '../redis.js';
import type { OpenStoreOptions, RawTask, RecordBytes, TestStore } from './test-store.js';

const READ_AT_ONCE = 50;
const STREAM_ID_LENGTH = 22;

/** A part of the key space of a Redis. */
export class RedisTestStore implements TestStore {
  readonly env: Readonly<Record<string, string>>;
  readonly keyPrefix: string;
  readonly #keys: GatewayKeys;
  readonly #taskKeys: RedisKeys;

  constructor(readonly redis: TestRedis) {
    const { url, cluster, prefix } = redis;
    this.keyPrefix = prefix;
    this.env = { REDIS_URL: url, LONGHAUL_REDIS_CLUSTER: cluster ? '1' : '0', LONGHAUL_KEY_PREFIX: prefix };
    this.#keys = gatewayKeys(prefix);
    this.#taskKeys = new RedisKeys(prefix);
  }

  open({ redisUrl = this.redis.url, onError = () => undefined, ...options }: OpenStoreOptions): Promise<RedisStore> {
    const { cluster, prefix } = this.redis;
    return connectRedisStore({ ...options, url: redisUrl, cluster, prefix, onError });
  }

  async views(): Promise<readonly TaskView[]> {
    const { redis } = this.redis;
    const keys = await redis.keys(`${this.keyPrefix}:{*}:view`);
    const views = await Promise.all(keys.map((key) => redis.hget(key, 'view')));
    return views.flatMap((view) => (view === null ? [] : [JSON.parse(view) as TaskView]));
  }

  async tasks(): Promise<readonly RawTask[]> {
    const keys = await this.redis.keys('{*}:events');
    const ids = keys.map((key) => key.slice(this.keyPrefix.length + 2, -':events'.length - 1) as TaskId);
    const tasks: RawTask[] = [];
    for (let first = 0; first < ids.length; first += READ_AT_ONCE)
      tasks.push(...(await Promise.all(ids.slice(first, first + READ_AT_ONCE).map((taskId) => this.#task(taskId)))));
    // A task may expire between the two reads.
    return tasks.filter(({ events }) => events.length > 0);
  }

  keptMs(taskId: string): Promise<number> {
    return this.redis.redis.pttl(this.#taskKeys.view(taskId as TaskId));
  }

  queuedJobs(withinMs?: number): Promise<number> {
    return queuedJobs(this.redis, withinMs);
  }

  async agenda(isDue = false): Promise<readonly TaskId[]> {
    const until = isDue ? String(Date.now()) : '+inf';
    const shards = this.#taskKeys.allUnfinished().map((key) => this.redis.redis.zrange(key, '-inf', until, 'BYSCORE'));
    return (await Promise.all(shards)).flat() as TaskId[];
  }

  async recordOwners(): Promise<readonly string[]> {
    return (await this.redis.keys('*')).filter((key) => key.includes(':records:'));
  }

  async recordBytes(): Promise<RecordBytes> {
    const { redis } = this.redis;
    const [records = ''] = await redis.keys(`${this.keyPrefix}:{owner:*}:records:memory`);
    const [account = ''] = await redis.keys(`${this.keyPrefix}:{owner:*}:sessions`);
    return {
      // Before its JSON, a record has the number of its change.
      records: Object.entries(await redis.hgetall(records)).map(([id, text]) => ({ id, json: text.slice(text.indexOf(' ') + 1) })),
      changes: await redis.zcard(`${records}:changes`),
      collection: Number(await redis.get(`${records}:bytes`)),
      account: Number(await redis.hget(account, 'total')),
    };
  }

  async channelsOf(id: string): Promise<number> {
    return ((await this.redis.redis.call('PUBSUB', 'CHANNELS', `${this.keyPrefix}:*{${id}}*`)) as unknown[]).length;
  }

  async leftForEver(atRest = false): Promise<readonly string[]> {
    const keys = await this.redis.keysWithoutTtl();
    return atRest ? keys : keys.filter((key) => !/:\{[\da-f-]{36}\}:(events|view)$/.test(key));
  }

  sessions(): Promise<readonly string[]> {
    return this.redis.keys('session*');
  }

  async ofSession(sessionId: string): Promise<ReadonlyMap<string, number>> {
    const { redis } = this.redis;
    const own = this.#keys.session(sessionId);
    const keys = [...(await redis.keys(`${own}*`)), ...(await redis.keys(`${this.keyPrefix}:session-state:*`))];
    const looks = redis.multi();
    for (const key of keys) looks.pttl(key);
    const answers = (await looks.exec()) ?? [];
    const left = keys.map((key, index) => [nameOf(key, own), Number(answers[index]?.[1])] as const);
    // -2: it is gone by now; -1: it stays for ever.
    return new Map(left.filter(([, ms]) => ms !== -2).map(([name, ms]) => [name, ms === -1 ? Number.POSITIVE_INFINITY : ms]));
  }

  async expireSession(sessionId: string): Promise<void> {
    await this.redis.redis.del(this.#keys.session(sessionId));
  }

  async sessionBytes(): Promise<readonly (readonly number[])[]> {
    const accounts = await this.redis.keys('{owner:*}:sessions');
    const counts = await Promise.all(accounts.map((account) => this.redis.redis.hgetall(account)));
    return counts.map(({ total: _total, ...sessions }) => Object.values(sessions).map(Number));
  }

  openStreams(sessionId: string): Promise<readonly string[]> {
    return this.redis.redis.zrange(this.#keys.openStreams(sessionId), '0', '-1');
  }

  async standaloneStream(sessionId: string): Promise<string | undefined> {
    return (await this.redis.redis.get(this.#keys.standalone(sessionId)))?.slice(-STREAM_ID_LENGTH);
  }

  async askedBy(taskId: string): Promise<number | undefined> {
    const [json] = await this.redis.redis.hvals(this.#keys.deliveryLeases(taskId));
    return this.#processOf((JSON.parse(json ?? '{}') as { gateway?: string }).gateway);
  }

  async servedBy(taskId: string): Promise<number | undefined> {
    const metas = await this.redis.keys('session:{*}:sse:*:meta');
    const rows = await Promise.all(metas.map((key) => this.redis.redis.hmget(key, 'requests', 'origin')));
    return this.#processOf(rows.find(([requests]) => requests?.includes(taskId))?.[1]);
  }

  async close(keep = false): Promise<void> {
    if (keep) this.redis.redis.disconnect();
    else await this.redis.cleanUp();
  }

  async #processOf(gateway: string | null | undefined): Promise<number | undefined> {
    const pid = typeof gateway === 'string' && (await this.redis.redis.get(this.#keys.gateway(gateway)));
    return typeof pid === 'string' ? Number(pid) : undefined;
  }

  async #task(taskId: TaskId): Promise<RawTask> {
    const { redis } = this.redis;
    const [entries, own, kept] = await Promise.all([
      redis.xrange(this.#taskKeys.events(taskId), '-', '+'),
      redis.hgetall(this.#taskKeys.view(taskId)),
      redis.hgetall(this.#taskKeys.keptView(taskId)),
    ]);
    const events = entries.map(([id, [, type = '', , data = '{}', , meta = '{}']]) => ({ version: Number.parseInt(id), type, data, meta }));
    const { version, epoch, view, outcome } = 'view' in own ? own : kept;
    return {
      taskId,
      events,
      view: {
        hasOutcome: true,
        ...(version !== undefined && { version: Number(version) }),
        ...(epoch !== undefined && { epoch: Number(epoch) }),
        ...(view !== undefined && { view }),
        ...(outcome !== undefined && { outcome }),
      },
    };
  }
}

function nameOf(key: string, session: string): string {
  if (key === session) return 'session';
  return key.startsWith(session) ? key.slice(session.length + 1) : 'values';
}
