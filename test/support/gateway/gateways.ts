/** Runs several gateways on one store in this process, each with its own connections, and a worker. */
import { type GatewayConfig, openGateway, readConfig } from '@longhaul/gateway';
import type { GatewayState } from '@longhaul/sessions/gateway';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Store } from '@longhaul/sessions';
import { createTaskService, type TaskService } from '@longhaul/tasks';
import { openWorker, readConfig as readWorkerConfig } from '@longhaul/worker';
import { type Logger, pino } from 'pino';
import { expect } from 'vitest';
import { forAllTests } from '../for-all-tests.js';
import { openTestStore, redisOf, type TestStore } from '../stores/test-store.js';
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
  readonly store: Store;
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
  readonly store: TestStore;
  /** Starts one more gateway, as one of another version with other features. The caller closes it. */
  another(features: FeatureRegistry): Promise<TestGateway>;
  close(): Promise<void>;
}

/** The parts that a test may replace. */
export interface TestGatewaysOptions {
  readonly features?: FeatureRegistry;
  /** Of the worker, where it has others than the gateways. */
  readonly workerFeatures?: FeatureRegistry;
  /** Idle time of sessions. */
  readonly idleMs?: number;
  /** The size limit for the values of all sessions of a caller. */
  readonly accountSessionBytes?: number;
  /** Signs and seals; the same at both gateways. */
  readonly secret?: string;
  /** The logger of the gateways. */
  readonly logger?: Logger;
  /** Makes the address at which the first gateway reaches Redis, such as a proxy's. */
  readonly redisOfFirst?: (url: string) => Promise<string>;
  /** Changes the store that each process has opened. */
  readonly change?: (store: Store) => Store;
}

const silent = pino({ level: 'silent' });
const IDLE_MS = 3_600_000;

/** Gateways for all tests of the file or `describe` that calls this, which must leave nothing that would stay for ever. */
export function gatewaysForTests(settings: Partial<GatewayConfig> = {}, options: TestGatewaysOptions = {}): TestGateways {
  return forAllTests(
    () => startGateways(settings, options),
    async (gateways) => {
      try {
        expect(await gateways.store.leftForEver()).toEqual([]);
      } finally {
        await gateways.close();
      }
    },
  );
}

export async function startGateways(settings: Partial<GatewayConfig> = {}, options: TestGatewaysOptions = {}): Promise<TestGateways> {
  const {
    features = testTools,
    workerFeatures = features,
    idleMs = IDLE_MS,
    redisOfFirst,
    accountSessionBytes,
    change = (store) => store,
  } = options;
  const limits = accountSessionBytes === undefined ? {} : { accountSessionBytes };
  const testStore = openTestStore();
  const proxied = await redisOfFirst?.(redisOf(testStore).url);
  const open = async (role: 'gateway' | 'worker', redisUrl?: string): Promise<Store> =>
    change(await testStore.open({ role, sessionTtlMs: idleMs, redisUrl, ...limits }));
  const [first, second] = await Promise.all([
    startGateway(await open('gateway', proxied), settings, options),
    startGateway(await open('gateway'), settings, options),
  ]);
  const store = await open('worker');
  const worker = await openWorker({
    store,
    config: {
      ...readWorkerConfig({}),
      version: 'test',
      concurrency: 10,
      drainMs: 0,
      ...(settings.publicUrl !== undefined && { publicUrl: settings.publicUrl }),
      ...(settings.webhooks !== undefined && { webhooks: settings.webhooks }),
    },
    features: workerFeatures,
    logger: silent,
  });
  return {
    first,
    second,
    store: testStore,
    another: async (other) => startGateway(await open('gateway'), settings, { ...options, features: other }),
    async close() {
      await Promise.all([first.app.close(), second.app.close(), worker.stop()]);
      await Promise.all([first, second].map((gateway) => gateway.store.close()));
      await store.close();
      await testStore.close();
    },
  };
}

async function startGateway(
  store: Store,
  settings: Partial<GatewayConfig>,
  { features = testTools, secret = 'a secret of the tests', logger = silent }: TestGatewaysOptions,
): Promise<TestGateway> {
  const tasks = createTaskService(store, { onError: () => undefined });
  const config = { ...readConfig({}), secret, port: 0, drainMs: 0, bodyLimitBytes: 65_536, maxTtlMs: 3_600_000, ...settings };
  const { app, listen } = await openGateway({ store, config, features, logger });
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
    state: store.gateway,
    store,
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
