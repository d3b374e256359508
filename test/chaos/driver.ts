/** Plays the clients of all planned tasks: creates, answers, cancels, and waits for every end. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, ChaosClient, type ClientOptions, type ServerRequest } from './client.js';
import { POST_TO } from './features.js';
import type { PlannedTask } from './plan.js';

/** A task whose creation was acknowledged, and the end that its client has seen. */
export interface DrivenTask {
  readonly taskId: string;
  readonly plan: PlannedTask;
  /** The text of the result, or `cancelled`, or the error. */
  readonly end: string;
  /** When an answer to each input, by its key, was acknowledged; epoch milliseconds. */
  readonly answeredAt: ReadonlyMap<string, number>;
}

/** What came of all of them. */
export interface Driven {
  readonly tasks: readonly DrivenTask[];
  readonly retries: number;
}

/** Each waits on a stream of its own; a session may have 16, and those of a killed gateway count for a while. */
const TASKS_PER_SESSION = 6;
const TTL_MS = 3_600_000;

/** Drives all tasks to their ends. */
export async function drive(plan: readonly PlannedTask[], options: ClientOptions): Promise<Driven> {
  const startedAt = performance.now();
  const clients: Promise<ChaosClient>[] = [];
  const tasks = await Promise.all(
    plan.map(async (task, index) => {
      await wait(Math.max(0, startedAt + task.at - performance.now()), undefined, { signal: options.signal });
      const client = await (clients[Math.floor(index / TASKS_PER_SESSION)] ??= ChaosClient.open(options));
      return driveOne(client, task);
    }),
  );
  const opened = await Promise.all(clients);
  const known = new Set(tasks.map(({ taskId }) => taskId));
  await Promise.all(opened.map((client) => endStrays(client, known)));
  return { tasks, retries: opened.reduce((sum, { retries }) => sum + retries, 0) };
}

/** Cancels the tasks whose creation was not acknowledged: no client knows of them, so nobody else would end them. */
async function endStrays(client: ChaosClient, known: ReadonlySet<string>): Promise<void> {
  for (let cursor: unknown; ;) {
    const page = await client.call('tasks/list', cursor === undefined ? {} : { cursor });
    if ('error' in page) throw new Error(`The list of tasks cannot be had: ${page.error.message}`);
    const listed = page.result['tasks'] as readonly { readonly taskId: string }[];
    for (const { taskId } of listed) if (!known.has(taskId)) await client.call('tasks/cancel', { taskId });
    cursor = page.result['nextCursor'];
    if (cursor === undefined) return;
  }
}

async function driveOne(client: ChaosClient, plan: PlannedTask): Promise<DrivenTask> {
  const { kind, args, cancelAfterMs } = plan;
  const meta = plan.keyed ? { _meta: { 'longhaul/idempotencyKey': `task ${args.n}` } } : {};
  const taskId = taskIdOf(await client.call('tools/call', { name: kind, arguments: args, task: { ttl: TTL_MS }, ...meta }));
  const answering = new Answering(client, plan);
  const cancelling = cancelAfterMs === undefined ? undefined : wait(cancelAfterMs).then(() => client.call('tasks/cancel', { taskId }));
  const answer = await client.call('tasks/result', { taskId }, answering.take);
  await Promise.all([cancelling, answering.done()]);
  return { taskId, plan, end: endOf(answer), answeredAt: answering.takenAt };
}

/** Answers the questions of one task, each with its own message, however often it is asked. */
class Answering {
  readonly takenAt = new Map<string, number>();
  readonly #open = new Map<string, Promise<void>>();

  constructor(
    private readonly client: ChaosClient,
    private readonly plan: PlannedTask,
  ) {}

  take = ({ id, params }: ServerRequest): void => {
    if (!this.plan.answers || this.#open.has(id)) return;
    this.#open.set(
      id,
      this.#answer(id, params).finally(() => this.#open.delete(id)),
    );
  };

  async done(): Promise<void> {
    await Promise.all(this.#open.values());
  }

  async #answer(id: string, params: ServerRequest['params']): Promise<void> {
    await wait(this.plan.thinkMs);
    const message = String(params['message']);
    if (message.startsWith(POST_TO)) await this.client.sendSignal(message.slice(POST_TO.length), `signal of ${id}`, 'posted');
    const result = { action: 'accept', content: { answer: message } };
    await this.client.send({ jsonrpc: '2.0', id, result });
    const key = id.split('|')[2] ?? '';
    if (!this.takenAt.has(key)) this.takenAt.set(key, Date.now());
  }
}

function taskIdOf(answer: Answer): string {
  const task = 'result' in answer ? answer.result['task'] : undefined;
  if (typeof task !== 'object' || task === null || !('taskId' in task)) throw new Error(`No task: ${JSON.stringify(answer)}`);
  return String(task.taskId);
}

function endOf(answer: Answer): string {
  if ('error' in answer) return answer.error.message.startsWith('Task was cancelled') ? 'cancelled' : `error: ${answer.error.message}`;
  const { content } = answer.result as { content?: readonly { text?: string }[] };
  return content?.[0]?.text ?? '';
}
