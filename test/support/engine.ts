/**
 * Runs an engine in memory. The test controls its time and deliveries: jobs wait until the test delivers them, so the test decides which
 * worker crashes when. Everything except the queue is real.
 */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { createOwnerContexts, type SessionNotifications } from '@longhaul/sessions';
import {
  type AppendRequest,
  type AppendResult,
  type CallableTool,
  type ChildBounds,
  createTaskService,
  type GivenBack,
  type GivenSignal,
  type Json,
  type JsonObject,
  type OwnerLimits,
  type RetryPolicy,
  type TaskStore,
  type TaskContext,
  type TaskCreatedData,
  type TaskEvent,
  type TaskId,
  type TaskJob,
  TaskRunner,
  type TaskRunnerOptions,
  type Workflow,
} from '@longhaul/tasks';
import {
  DEFAULT_OWNER_LIMITS,
  fold,
  type ForkOptions,
  forkTask,
  OutageRetry,
  type SoughtJob,
  Sweep,
  type TaskEventType,
  type TaskReport,
  TaskWriter,
  wrappedStore,
} from '@longhaul/tasks/testing';

/** The function under test; it may be replaced between passes, as a deploy does. */
export type Run = (context: TaskContext, args: JsonObject) => Promise<unknown>;

const OWNER = 'ada';

/** The tool, for tasks that call it. */
const CALLABLE: CallableTool = {
  scopes: [],
  problemOf: ({ wrong }) => (wrong === undefined ? undefined : 'wrong: is not wanted'),
  times: (ttlMs = 60_000) => ({ ttlMs, pollIntervalMs: 1_000 }),
};

/** A store with appends through `around`. */
export function intercept(
  store: TaskStore,
  around: (request: AppendRequest, append: (request: AppendRequest) => Promise<AppendResult>) => Promise<AppendResult>,
): TaskStore {
  const { events } = store;
  return {
    ...store,
    events: wrappedStore(events, {
      append: (request) => around(request, (same) => events.append(same)),
      create: (request, ...counted) => around(request, (same) => events.create(same, ...counted) as Promise<AppendResult>),
    }),
  };
}

export class Engine {
  now = 1_000;
  readonly jobs: { job: TaskJob; dueAt: number; recovered?: true; givenBack?: GivenBack }[] = [];
  readonly errors: unknown[] = [];
  /** The reports about tasks, from the service and all workers. */
  readonly reports: TaskReport[] = [];
  retry: RetryPolicy | undefined;
  /** Bounds of the tasks that tasks start, and limits of their owner. */
  childBounds: Partial<ChildBounds> = {};
  limits: Partial<OwnerLimits> = {};
  readonly store: TaskStore;
  readonly service;
  private readonly memory;

  constructor(
    public run: Run,
    change: (store: TaskStore) => TaskStore = (store) => store,
    private readonly options: Pick<TaskRunnerOptions, 'maxHistoryBytes' | 'maxOwnerBytes' | 'historyRoom' | 'observer'> = {},
  ) {
    const clock = (): number => this.now;
    this.memory = openMemoryStore({ clock });
    const queue = {
      add: async (job: TaskJob, dueAt: number) => void this.jobs.push({ job, dueAt }),
      has: async (sought: readonly SoughtJob[]) =>
        sought.map(({ taskId, pass, mayBeDelayed }) =>
          this.jobs.some(({ job, dueAt }) => job.taskId === taskId && job.pass === pass && (mayBeDelayed || dueAt === 0)),
        ),
      recover: async (job: TaskJob) => void this.jobs.push({ job, dueAt: 0, recovered: true }),
      addGivenBack: async (job: TaskJob, givenBack: GivenBack) => void this.jobs.push({ job, dueAt: 0, givenBack }),
      withdraw: async ({ taskId, pass }: TaskJob) => {
        const at = this.jobs.findIndex(({ job, dueAt }) => job.taskId === taskId && job.pass === pass && dueAt > this.now);
        if (at >= 0) this.jobs.splice(at, 1);
      },
      addSideJob: async () => undefined,
      close: async () => undefined,
    };
    this.store = change({ ...this.memory, queue });
    this.service = createTaskService(this.store, {
      clock,
      onError: (error) => this.errors.push(error),
      onTask: (report) => this.reports.push(report),
      observer: options.observer,
    });
  }

  /** Messages to clients that belong to no request. */
  get notifications(): SessionNotifications {
    return this.memory.sessionNotifications;
  }

  /** A worker of its own; start it to make it hear of interruptions. */
  worker(workerId = 'worker', options: Partial<TaskRunnerOptions> = {}): TaskRunner {
    return new TaskRunner({
      ...this.options,
      store: this.store,
      sessionValues: this.memory.sessionState,
      owners: createOwnerContexts(this.memory, (error) => this.errors.push(error)),
      workflows: (name) => (name === 'tool' ? this.workflow() : undefined),
      children: {
        tool: (name) => (name === 'tool' ? CALLABLE : `There is no tool "${name}".`),
        limitsOf: () => ({ ...DEFAULT_OWNER_LIMITS, ...this.limits }),
        bounds: this.childBounds,
      },
      workerId,
      version: 'one',
      clock: () => this.now,
      chance: { random: () => 1, uuid: () => crypto.randomUUID() },
      onError: (error) => this.errors.push(error),
      onTask: (report) => this.reports.push(report),
      ...options,
    });
  }

  /** One sweep of a worker of its own. @returns how many tasks were looked at */
  async sweep(): Promise<number> {
    const onError = (error: unknown): void => void this.errors.push(error);
    const writer = new TaskWriter({ store: this.store, clock: () => this.now, onError });
    return new Sweep({ store: this.store, writer, onError }).run();
  }

  async create(task: Partial<TaskCreatedData> = {}): Promise<TaskId> {
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities } as const;
    const view = await this.service.create({
      tool: 'tool',
      arguments: {},
      owner: OWNER,
      client,
      ttlMs: 60_000,
      pollIntervalMs: 1_000,
      ...task,
    });
    return view.taskId;
  }

  /** An operator's operations on a task. */
  async fork(origin: TaskId, options?: ForkOptions, limits: Partial<OwnerLimits> = {}): Promise<TaskId> {
    const { store } = this;
    const onError = (error: unknown): void => void this.errors.push(error);
    const writer = new TaskWriter({ store, clock: () => this.now, onError });
    const outageRetry = new OutageRetry(() => store.ping());
    const newTaskId = () => crypto.randomUUID() as TaskId;
    const creation = { store, writer, outageRetry, newTaskId, limitsOf: () => ({ ...DEFAULT_OWNER_LIMITS, ...limits }) };
    return (await forkTask(creation, origin, options)).taskId;
  }

  /** Delivers the oldest job, moving the clock to when it is due. */
  async deliver(worker = this.worker(), signal: AbortSignal = new AbortController().signal): Promise<void> {
    const next = this.jobs.shift();
    if (next === undefined) throw new Error('No job waits.');
    this.now = Math.max(this.now, next.dueAt);
    const { job, givenBack, recovered = false } = next;
    await worker.handle({ job, redelivered: false, recovered, ...(givenBack !== undefined && { givenBack }), signal });
  }

  /** Delivers until nothing waits. */
  async settle(): Promise<void> {
    while (this.jobs.length > 0) await this.deliver();
  }

  /** Runs the oldest job until `crash` is called, after which its worker writes no more, and returns the job. */
  async crashing(arm: (crash: () => void) => void): Promise<TaskJob> {
    const job = this.jobs[0]?.job;
    if (job === undefined) throw new Error('No job waits.');
    const power = new AbortController();
    arm(() => power.abort());
    await this.deliver(this.worker('doomed'), power.signal);
    return job;
  }

  /** The queue's treatment of the job of a lost worker. */
  async redeliver(job: TaskJob, worker = this.worker('heir')): Promise<void> {
    await worker.handle({ job, redelivered: true, recovered: false, signal: new AbortController().signal });
  }

  async answer(taskId: TaskId, key: string, response: JsonObject): Promise<boolean> {
    return this.service.provideInput(taskId, key, () => ({ response }), { owner: OWNER }, { via: 'test' });
  }

  /** Sends a signal, as its owner. @returns whether it was taken for the first time */
  async signal(taskId: TaskId, name: string, value: Json = null, more: Partial<GivenSignal> = {}): Promise<boolean> {
    return this.service.signal(taskId, { name, value, via: 'test', ...more }, { owner: OWNER });
  }

  async events(taskId: TaskId): Promise<readonly TaskEvent[]> {
    return this.store.events.read(taskId);
  }

  async story(taskId: TaskId): Promise<TaskEventType[]> {
    return (await this.events(taskId)).map(({ type }) => type);
  }

  async outcome(taskId: TaskId) {
    return fold(await this.events(taskId)).outcome;
  }

  /** The value that the function returned. */
  async value(taskId: TaskId): Promise<unknown> {
    const outcome = await this.outcome(taskId);
    return outcome?.kind === 'result' ? outcome.result['value'] : outcome;
  }

  async cancel(taskId: TaskId) {
    return this.service.cancel(taskId, { owner: OWNER });
  }

  private workflow(): Workflow {
    return {
      name: 'tool',
      ...(this.retry !== undefined && { retry: this.retry }),
      run: async (args, context) => ({ value: await this.run(context, args) }) as JsonObject,
      resultOfFailure: ({ name, message }) => ({ isError: true, value: `${name}: ${message}` }),
    };
  }
}
