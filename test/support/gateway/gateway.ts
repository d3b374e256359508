/** Runs a whole service in this process: gateway and worker on a store in memory, or on a data file in the project for that. */
import { type Authenticate, type Gateway, type GatewayConfig, openGateway, readConfig } from '@longhaul/gateway';
import { type Store } from '@longhaul/sessions';
import type { SessionStore } from '@longhaul/sessions/gateway';
import { openMemoryStore, openSqliteStore } from '@longhaul/store-sqlite';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { createTaskService, mayLeaveSomething, type OwnerLimits, type TaskService, type TaskView } from '@longhaul/tasks';
import { openWorker, readConfig as readWorkerConfig } from '@longhaul/worker';
import { pino } from 'pino';
import { inject } from 'vitest';
import { forAllTests } from '../for-all-tests.js';
import { TestFolder } from '../test-folder.js';
import { testTools } from './tools.js';

export type GatewayApp = Gateway['app'];

/** A running service. */
export interface TestService {
  readonly app: GatewayApp;
  readonly tasks: TaskService;
  readonly sessions: SessionStore;
  readonly store: Store;
  /** Every task that was created, oldest first. */
  readonly created: TaskView[];
  /** The log entries, oldest first. */
  readonly logs: Record<string, unknown>[];
  /** Starts to listen on a free port. @returns the URL of the endpoint */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** The parts that a test may replace. */
export interface TestServiceOptions {
  readonly features?: FeatureRegistry;
  /** Of the worker, where it has others than the gateway. */
  readonly workerFeatures?: FeatureRegistry;
  readonly clock?: () => number;
  /** Idle time of sessions. */
  readonly idleMs?: number;
  readonly settings?: Partial<GatewayConfig>;
  readonly sessions?: SessionStore;
  readonly tasks?: (tasks: TaskService) => TaskService;
  readonly ping?: () => Promise<void>;
  readonly limits?: Partial<OwnerLimits>;
  readonly authenticate?: Authenticate;
}

/** A service for all tests of the file or `describe` that calls this. */
export function serviceForTests(options: TestServiceOptions = {}): TestService {
  return forAllTests(
    () => startService(options),
    (service) => service.close(),
  );
}

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const logs: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => void logs.push(JSON.parse(line) as Record<string, unknown>) });
  const { features = testTools, workerFeatures = features, clock = Date.now, idleMs = 3_600_000 } = options;
  const { store, close } = await openOwnStore({ clock, idleMs, onError: (error) => logger.error({ err: error }, 'store') });
  const worker = await openWorker({
    store,
    config: { ...readWorkerConfig({}), version: 'test', concurrency: 10, drainMs: 0 },
    features: workerFeatures,
    logger: pino({ level: 'silent' }),
  });
  const service = createTaskService(store, {
    onError: (error) => logger.error({ err: error }),
    cleansUp: mayLeaveSomething(features.workflow),
    ...(options.limits !== undefined && { limits: options.limits }),
  });
  const created: TaskView[] = [];
  const recording: TaskService = {
    ...service,
    async create(task) {
      const view = await service.create(task);
      created.push(view);
      return view;
    },
  };
  const tasks = options.tasks?.(recording) ?? recording;
  const sessions = options.sessions ?? store.gateway.sessions;
  const { app, listen } = await openGateway({
    store: { ...store, gateway: { ...store.gateway, sessions }, ping: options.ping ?? (() => store.ping()) },
    config: { ...readConfig({}), secret: 'a secret of the tests', port: 0, drainMs: 0, bodyLimitBytes: 64 * 1024, ...options.settings },
    features,
    logger,
    tasks,
    ...(options.authenticate !== undefined && { authenticate: options.authenticate }),
  });
  return {
    app,
    tasks: service,
    sessions,
    store,
    created,
    logs,
    listen,
    async close() {
      await app.close();
      await worker.stop();
      await close();
    },
  };
}

/** Where the service keeps everything. */
interface OpenedStore {
  readonly store: Store;
  close(): Promise<void>;
}

interface OpenStoreOptions {
  readonly clock: () => number;
  readonly idleMs: number;
  readonly onError: (error: unknown) => void;
}

async function openOwnStore({ clock, idleMs, onError }: OpenStoreOptions): Promise<OpenedStore> {
  const common = { clock, sessionTtlMs: idleMs, onError };
  if (inject('store') !== 'SQLite') {
    const store = openMemoryStore(common);
    return { store, close: () => store.close() };
  }
  const folder = new TestFolder();
  const store = await openSqliteStore({ ...common, path: folder.dataFile });
  return {
    store,
    close: async () => {
      await store.close();
      folder.remove();
    },
  };
}
