/** Several gateways on one Redis in this process, each with connections of its own, and a worker. */
import { createRedisGatewayState, type GatewayConfig, type GatewayState, openGateway, readConfig } from '@longhaul/gateway';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { connectRedisBackend, type RedisBackend } from '@longhaul/sessions/redis';
import { type TaskView, createTaskService, type TaskService } from '@longhaul/tasks';
import { openWorker, readConfig as readWorkerConfig } from '@longhaul/worker';
import { type Logger, pino } from 'pino';
import { expect } from 'vitest';
import { forAllTests } from '../../../support/for-all-tests.js';
import { openTestRedis, type TestRedis } from '../../../support/redis.js';
import type { GatewayApp } from './gateway.js';
import { HEADERS, type RpcSession, sessionAt } from './rpc.js';
import { openStream, type OpenStream } from './stream.js';
import { testTools } from './tools.js';

/** One of the gateways. */
export interface TestGateway {
  readonly app: GatewayApp;
  readonly url: string;
  readonly tasks: TaskService;
  readonly state: GatewayState;
  readonly backend: RedisBackend;
  /** POSTs a request of the session, and reads its response as it comes. */
  post(session: RpcSession, id: string | number, method: string, params?: object): Promise<OpenStream>;
  /** Opens the session's standalone stream, or resumes any stream of it. */
  get(session: RpcSession, lastEventId?: string): Promise<OpenStream>;
  /** The same session at this gateway. */
  use(session: RpcSession): RpcSession;
  /** Sends a notification or a response. @returns the HTTP status */
  send(session: RpcSession, message: object): Promise<number>;
  remove(session: RpcSession): Promise<number>;
}

/** All of them. */
export interface TestGateways {
  readonly first: TestGateway;
  readonly second: TestGateway;
  readonly redis: TestRedis;
  /** Of all owners, also of those without a list. */
  allTasks(): Promise<readonly TaskView[]>;
  /** Starts one more gateway, as one of another version with other features. The caller closes it. */
  another(features: FeatureRegistry): Promise<TestGateway>;
  /** Keys that would stay for ever, but for those of tasks that have not ended. */
  keysWithoutTtl(): Promise<string[]>;
  close(): Promise<void>;
}

/** What a test may replace. */
export interface TestGatewaysOptions {
  readonly features?: FeatureRegistry;
  /** Of the worker, where it has others than the gateways. */
  readonly workerFeatures?: FeatureRegistry;
  /** Idle time of sessions. */
  readonly idleMs?: number;
  /** What the values of all sessions of a caller may take. */
  readonly accountSessionBytes?: number;
  /** Signs and seals; the same at both gateways. */
  readonly secret?: string;
  /** What the gateways log with. */
  readonly logger?: Logger;
  /** Makes the address at which the first gateway reaches Redis, such as that of a proxy. */
  readonly redisOfFirst?: (url: string) => Promise<string>;
}

const silent = pino({ level: 'silent' });
const IDLE_MS = 3_600_000;

/** Gateways for all tests of the file or `describe` that calls this, which must leave no key that would stay for ever. */
export function gatewaysForTests(settings: Partial<GatewayConfig> = {}, options: TestGatewaysOptions = {}): TestGateways {
  return forAllTests(
    () => startGateways(settings, options),
    async (gateways) => {
      try {
        expect(await gateways.keysWithoutTtl()).toEqual([]);
      } finally {
        await gateways.close();
      }
    },
  );
}

export async function startGateways(settings: Partial<GatewayConfig> = {}, options: TestGatewaysOptions = {}): Promise<TestGateways> {
  const { features = testTools, workerFeatures = features, idleMs = IDLE_MS, redisOfFirst, accountSessionBytes } = options;
  const limits = accountSessionBytes === undefined ? {} : { accountSessionBytes };
  const redis = openTestRedis();
  const connect = (role: 'gateway' | 'worker', url = redis.url): Promise<RedisBackend> =>
    connectRedisBackend({ url, prefix: redis.prefix, role, sessionTtlMs: idleMs, ...limits, onError: () => undefined });
  const [first, second] = await Promise.all([
    startGateway(await connect('gateway', await redisOfFirst?.(redis.url)), redis.prefix, settings, options),
    startGateway(await connect('gateway'), redis.prefix, settings, options),
  ]);
  const backend = await connect('worker');
  const worker = await openWorker({
    backend,
    config: { ...readWorkerConfig({}), version: 'test', concurrency: 10, drainMs: 0 },
    features: workerFeatures,
    logger: silent,
  });
  return {
    first,
    second,
    redis,
    allTasks: async () => {
      const keys = await redis.redis.keys(`${redis.prefix}:{*}:view`);
      const views = await Promise.all(keys.map((key) => redis.redis.hget(key, 'view')));
      return views.flatMap((view) => (view === null ? [] : [JSON.parse(view) as TaskView]));
    },
    another: async (other) => startGateway(await connect('gateway'), redis.prefix, settings, { ...options, features: other }),
    keysWithoutTtl: async () => (await redis.keysWithoutTtl()).filter((key) => !/:\{[\da-f-]{36}\}:(events|view)$/.test(key)),
    async close() {
      await Promise.all([first.app.close(), second.app.close(), worker.stop()]);
      await Promise.all([first, second].map((gateway) => gateway.backend.close()));
      await backend.close();
      await redis.cleanUp();
    },
  };
}

async function startGateway(
  backend: RedisBackend,
  prefix: string,
  settings: Partial<GatewayConfig>,
  { features = testTools, idleMs = IDLE_MS, secret = 'a secret of the tests', logger = silent }: TestGatewaysOptions,
): Promise<TestGateway> {
  const tasks = createTaskService(backend, { onError: () => undefined });
  const state = createRedisGatewayState(backend, { keyPrefix: prefix, sessionIdleMs: idleMs });
  const config = { ...readConfig({}), secret, port: 0, drainMs: 0, bodyLimitBytes: 65_536, maxTtlMs: 3_600_000, ...settings };
  const { app, listen } = await openGateway({ backend, state, config, features, logger, tasks });
  const url = await listen();
  const { host: _host, ...headers } = HEADERS;
  const request = (session: RpcSession, body: object) =>
    openStream(url, {
      method: 'POST',
      headers: { ...headers, ...session.headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  return {
    app,
    url,
    tasks,
    state,
    backend,
    post: (session, id, method, params = {}) => request(session, { id, method, params }),
    get: (session, lastEventId) =>
      openStream(url, {
        headers: { accept: 'text/event-stream', ...session.headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      }),
    use: (session) => sessionAt(app, session.id),
    send: async (session, message) => (await request(session, message)).response.status,
    remove: async (session) => (await fetch(url, { method: 'DELETE', headers: session.headers })).status,
  };
}
