/** Workers of several versions on one Redis in this process, each with connections of its own, and a client of their tasks. */
import { createFeatureRegistry, defineTool, type DurableContext } from '@longhaul/mcp-features';
import { connectRedisStore, type RedisStore } from '@longhaul/store-redis';
import { createTaskService, type Outcome, type RetryPolicy, type TaskEvent, type TaskId } from '@longhaul/tasks';
import { openWorker, readConfig } from '@longhaul/worker';
import { pino } from 'pino';
import { z } from 'zod';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { waitUntil } from '../../support/wait-until.js';

/** A durable tool of these tests. */
export function tool(name: string, run: (context: DurableContext) => Promise<string>, retry?: RetryPolicy) {
  const spec = { name, description: '', input: z.object({}), task: 'optional', ...(retry !== undefined && { retry }) } as const;
  return defineTool({ ...spec, run: (_args, context) => run(context) });
}

type DurableTool = ReturnType<typeof tool>;

/** How a worker is started. */
export interface WorkerOptions {
  readonly version: string;
  readonly tools: readonly DurableTool[];
  readonly concurrency?: number;
  readonly noWorkerMs?: number;
}

/** A running worker. */
export interface VersionedWorker {
  readonly store: RedisStore;
  /** Ids of the tasks that it gave back after it had looked at them. */
  readonly givenBack: TaskId[];
  stop(): Promise<void>;
}

const logger = pino({ level: 'silent' });
const OWNER = 'ada';

/** One deployment. */
export class Rolling {
  readonly redis: TestRedis = openTestRedis();
  private readonly open: (() => Promise<void>)[] = [];
  private client: RedisStore | undefined;

  async worker({ version, tools, concurrency = 10, noWorkerMs }: WorkerOptions): Promise<VersionedWorker> {
    const store = await this.connect('worker');
    // A new deployment looks at all tasks once. Here it has done so before there are any.
    if (this.open.length === 0) for (let calls = 0; calls < 5; calls++) await store.agenda.heal();
    const givenBack: TaskId[] = [];
    const log = logger.child({});
    log.info = ((fields: { taskId: TaskId }, message: string) => void (message === 'given back' && givenBack.push(fields.taskId))) as never;
    const worker = await openWorker({
      store,
      config: { ...readConfig({}), version, concurrency, drainMs: 1_000, ...(noWorkerMs !== undefined && { noWorkerMs }) },
      features: createFeatureRegistry(tools),
      workerId: `${version}-${this.open.length}`,
      logger: log,
    });
    let stopped: Promise<void> | undefined;
    const stop = (): Promise<void> => (stopped ??= worker.stop().then(() => store.close()));
    this.open.push(stop);
    return { store, givenBack, stop };
  }

  async create(toolName: string, count: number): Promise<readonly TaskId[]> {
    const service = createTaskService(await this.store(), { onError: () => undefined });
    const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
    const task = { tool: toolName, arguments: {}, owner: OWNER, client, ttlMs: 60_000, pollIntervalMs: 1_000 };
    const views = await Promise.all(Array.from({ length: count }, () => service.create(task)));
    return views.map(({ taskId }) => taskId);
  }

  /** How the tasks ended, once all have. */
  async outcomes(taskIds: readonly TaskId[]): Promise<readonly Outcome[]> {
    const { events } = await this.store();
    await waitUntil(async () => (await events.views(taskIds)).every((view) => view?.ending !== undefined), {
      description: 'all tasks have ended',
    });
    const snapshots = await Promise.all(taskIds.map((taskId) => events.readOutcome(taskId)));
    return snapshots.flatMap((snapshot) => (snapshot?.outcome === undefined ? [] : [snapshot.outcome]));
  }

  async history(taskId: TaskId): Promise<readonly TaskEvent[]> {
    return (await this.store()).events.read(taskId);
  }

  /** How many tasks are parked. */
  async parked(): Promise<number> {
    return this.redis.redis.hlen(`${this.redis.prefix}:{parked}:tasks`);
  }

  async close(): Promise<void> {
    await Promise.all(this.open.map((stop) => stop()));
    await this.client?.close();
    await this.redis.cleanUp();
  }

  private async store(): Promise<RedisStore> {
    return (this.client ??= await this.connect('gateway'));
  }

  private connect(role: 'gateway' | 'worker'): Promise<RedisStore> {
    return connectRedisStore({ url: this.redis.url, prefix: this.redis.prefix, role, onError: () => undefined });
  }
}

/** The text of a task's result; the failure where it has none. */
export function textOf(outcome: Outcome | undefined): unknown {
  if (outcome?.kind !== 'result') return outcome;
  const [content] = outcome.result['content'] as { text: string }[];
  return content?.text;
}
