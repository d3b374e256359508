/** A whole service in this process: gateway and worker on the memory backend. */
import {
  type Authenticate,
  buildGateway,
  createMemoryGatewayState,
  createMemorySessionStore,
  type GatewaySettings,
  listen,
  type SessionStore,
} from '@longhaul/gateway';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type Backend, createMemoryBackend } from '@longhaul/sessions';
import { createTaskService, type OwnerLimits, type TaskService, type TaskView } from '@longhaul/tasks';
import { buildWorker } from '@longhaul/worker';
import { pino } from 'pino';
import { testTools } from './tools.js';

export type GatewayApp = ReturnType<typeof buildGateway>;

/** A running service. */
export interface TestService {
  readonly app: GatewayApp;
  readonly tasks: TaskService;
  readonly sessions: SessionStore;
  readonly backend: Backend;
  /** Every task that was created, oldest first. */
  readonly created: TaskView[];
  /** What was logged, oldest first. */
  readonly logs: Record<string, unknown>[];
  /** Starts to listen on a free port. @returns the URL of the endpoint */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** What a test may replace. */
export interface TestServiceOptions {
  readonly features?: FeatureRegistry;
  /** Of the worker, where it has others than the gateway. */
  readonly workerFeatures?: FeatureRegistry;
  readonly clock?: () => number;
  /** Idle time of sessions. */
  readonly idleMs?: number;
  readonly settings?: Partial<GatewaySettings>;
  readonly sessions?: SessionStore;
  readonly tasks?: (tasks: TaskService) => TaskService;
  readonly ping?: () => Promise<void>;
  readonly limits?: Partial<OwnerLimits>;
  readonly authenticate?: Authenticate;
}

const settings: GatewaySettings = {
  boundTo: '127.0.0.1',
  allowedHosts: [],
  allowedOrigins: [],
  bodyLimitBytes: 64 * 1024,
  maxTtlMs: 7 * 24 * 3_600_000,
};

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const logs: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => void logs.push(JSON.parse(line) as Record<string, unknown>) });
  const { features = testTools, workerFeatures = features, clock = Date.now, idleMs = 3_600_000 } = options;
  const backend = createMemoryBackend({ clock, sessionTtlMs: idleMs, onError: (error) => logger.error({ err: error }, 'backend') });
  const worker = await buildWorker({
    backend,
    features: workerFeatures,
    workerId: 'test-worker',
    version: 'test',
    concurrency: 10,
    drainMs: 0,
    logger: pino({ level: 'silent' }),
  });
  const service = createTaskService(backend, {
    onError: (error) => logger.error({ err: error }),
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
  const sessions = options.sessions ?? createMemorySessionStore({ clock, idleMs, onKept: (id, ms) => backend.sessionState.keep(id, ms) });
  const app = buildGateway({
    tasks,
    sessions,
    backend,
    state: createMemoryGatewayState({ clock: Date.now, signals: backend.signals }),
    features,
    secret: 'a secret of the tests',
    logger,
    ...(options.authenticate !== undefined && { authenticate: options.authenticate }),
    ping: options.ping ?? (() => backend.ping()),
    settings: { ...settings, ...options.settings },
  });
  return {
    app,
    tasks: service,
    sessions,
    backend,
    created,
    logs,
    listen: () => listen(app, { host: '127.0.0.1', port: 0 }),
    async close() {
      await app.close();
      await worker.stop();
      await backend.close();
    },
  };
}
