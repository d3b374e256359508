/** Starts workers again when they end, like a process manager, and creates the tasks that a test gives them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@longhaul/sessions';
import { createTaskService, type JsonObject, type Outcome, type TaskEvent, type TaskId } from '@longhaul/tasks';
import { fold } from '@longhaul/tasks/testing';
import { type AppProcess, killApp, startApp } from './chaos-process.js';
import { openTestStore, type TestStore } from './stores/test-store.js';
import { waitUntil } from './wait-until.js';

const NO_LIMITS = { concurrentTasks: 1_000_000, tasksPerMinute: 1_000_000 };

/** How the workers are started. */
export interface SupervisedOptions {
  readonly workers: number;
  /** Path of the features. */
  readonly features: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where the workers find a Redis, if not where the test does. */
  readonly redisUrl?: string;
}

/** How a worker ended by itself. */
export interface Death {
  readonly pid: number;
  readonly how: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Some workers under a supervisor. */
export class SupervisedWorkers {
  readonly deaths: Death[] = [];
  readonly #current = new Map<number, AppProcess>();
  readonly #starting = new Set<Promise<void>>();
  #isClosed = false;

  private constructor(
    private readonly options: SupervisedOptions,
    private readonly testStore: TestStore,
    readonly store: Store,
    readonly folder: string,
  ) {}

  static async start(options: SupervisedOptions): Promise<SupervisedWorkers> {
    const testStore = openTestStore();
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-supervised-'));
    const store = await testStore.open({ role: 'gateway' });
    const supervised = new SupervisedWorkers(options, testStore, store, folder);
    await Promise.all(Array.from({ length: options.workers }, (_, slot) => supervised.#fill(slot)));
    return supervised;
  }

  /** The file that workers may write to, by the variable `LONGHAUL_TEST_LEDGER`. */
  get ledger(): string {
    return join(this.folder, 'ledger.jsonl');
  }

  /** The content of the ledger. */
  async noted<Line>(): Promise<readonly Line[]> {
    const text = await readFile(this.ledger, 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  /** The output of the workers. */
  async printed(): Promise<string> {
    const logs = Array.from({ length: this.options.workers }, (_, slot) => readFile(this.#log(slot), 'utf8'));
    return (await Promise.all(logs)).join('');
  }

  /** The workers that live now. */
  get processes(): readonly AppProcess[] {
    return [...this.#current.values()];
  }

  async create(tool: string, args: JsonObject): Promise<TaskId> {
    const service = createTaskService(this.store, { limits: NO_LIMITS, onError: () => undefined });
    const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
    const task = { tool, arguments: args, owner: 'test', client, ttlMs: 600_000, pollIntervalMs: 1_000 };
    return (await service.create(task)).taskId;
  }

  events(taskId: TaskId): Promise<readonly TaskEvent[]> {
    return this.store.events.read(taskId);
  }

  /** How the task ends. */
  async outcome(taskId: TaskId, timeoutMs: number): Promise<Outcome> {
    return waitUntil(async () => fold(await this.events(taskId)).outcome, { timeoutMs, description: `task ${taskId} has ended` });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#starting);
    await Promise.all(this.processes.map(killApp));
    await this.store.close();
    await this.testStore.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #fill(slot: number): Promise<void> {
    const { features, env, redisUrl } = this.options;
    const started = await startApp({
      app: 'worker',
      env: {
        ...this.testStore.env,
        ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
        LONGHAUL_FEATURES: features,
        LONGHAUL_TEST_LEDGER: this.ledger,
        LONGHAUL_DRAIN_MS: '1000',
        ...env,
      },
      log: this.#log(slot),
    });
    if (started === undefined) throw new Error(`A worker did not start: ${await readFile(this.#log(slot), 'utf8')}`);
    this.#current.set(slot, started);
    started.child.once('exit', (code, signal) => {
      this.deaths.push({ pid: started.pid, how: String(signal ?? code), at: Date.now() });
      this.#current.delete(slot);
      if (this.#isClosed) return;
      const starting = this.#fill(slot).finally(() => this.#starting.delete(starting));
      this.#starting.add(starting);
    });
  }

  #log(slot: number): string {
    return join(this.folder, `worker-${slot}.log`);
  }
}
