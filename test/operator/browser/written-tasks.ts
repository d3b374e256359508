/** Tasks that the tests of the operator page look at, as they would have been recorded. */
import { type JsonObject, rowOf, type TaskId, wholeMs } from '@longhaul/tasks';
import type { Store } from '@longhaul/sessions';
import { TaskHistory } from '@longhaul/tasks/testing';

/** When a try of a step began: a second before what is recorded of it. */
interface Began {
  readonly startedAt: number;
  readonly startedAfter: number;
}

type Command = Parameters<TaskHistory['append']>[0][number];

const SECOND_MS = 1_000;
const TOOL = 'charge';

/** One task, whose events are written one after the other; the story begins a minute ago. */
export class WrittenTask {
  readonly #history: TaskHistory;
  #at: number;

  constructor(
    private readonly store: Store,
    startedAt = Date.now() - 60 * SECOND_MS,
  ) {
    this.#history = new TaskHistory(undefined, startedAt);
    this.#at = startedAt;
  }

  get taskId(): TaskId {
    return this.#history.taskId;
  }

  async create(tool = TOOL, args: JsonObject = { customer: 'c-17', amount: 90 }): Promise<this> {
    await this.#write(
      this.#history.create({
        tool,
        arguments: args,
        owner: 'https://login.example.com|ada',
        ttlMs: 3_600 * SECOND_MS,
        budget: { tokens: 5_000 },
      }),
    );
    return this;
  }

  /** Another worker takes it. */
  async claim(workerId: string, version = '1.4.0', seconds = 0.5): Promise<this> {
    const { passNumber, pass } = this.#history.state;
    const next = pass.phase === 'idle' ? 1 : pass.phase === 'running' ? passNumber : passNumber + 1;
    await this.#write(this.#history.append([{ type: 'ClaimPass', at: this.after(seconds), pass: next, workerId, version }]));
    return this;
  }

  /** What its pass does. @param commands makes them, at the time and under the lease of the pass */
  async does(commands: (at: number, epoch: number, began: Began) => readonly Command[], seconds = 2): Promise<this> {
    const { epoch, version } = this.#history.state;
    const at = this.after(seconds);
    await this.#write(this.#history.append(commands(at, epoch, { startedAt: at - SECOND_MS, startedAfter: version }), epoch));
    return this;
  }

  /** What comes from outside. */
  async receives(key: string, response: JsonObject): Promise<this> {
    const command = { type: 'ProvideInput', at: this.after(4), key, answer: { response }, via: 'client' } as const;
    await this.#write(this.#history.append([command]));
    return this;
  }

  private after(seconds: number): number {
    this.#at += seconds * SECOND_MS;
    return this.#at;
  }

  async #write(request: ReturnType<TaskHistory['create']>): Promise<void> {
    const answer = await this.store.events.append({ ...request, row: rowOf(request.projection.view) });
    if (answer !== 'appended') throw new Error(answer);
  }
}

/** A task whose first worker was lost, which tried a step again, asked its client, and failed. */
export async function failedTask(store: Store): Promise<TaskId> {
  const task = await new WrittenTask(store).create();
  await task.claim('worker-a-7f3c91');
  await task.does((at, epoch, began) => [
    { type: 'ReportSpending', at, epoch, cost: 0.25, tokens: 1_200, step: 'load' },
    { type: 'CompleteStep', at, epoch, key: 'load', value: { balance: 12 }, ...began },
  ]);
  await task.does((at, epoch, began) => [{ type: 'StartStep', at, epoch, key: 'reserve', attempt: 1, ...began }]);
  await task.claim('worker-b-02d4aa', '1.4.1');
  await task.does((at, epoch, began) => [
    {
      type: 'FailStep',
      at,
      epoch,
      key: 'reserve',
      attempt: 1,
      ...began,
      error: { name: 'Error', message: 'The bank is away' },
      retryAt: wholeMs(at + 3 * SECOND_MS),
    },
    { type: 'SuspendPass', at, epoch, waitingFor: ['reserve'] },
  ]);
  await task.claim('worker-b-02d4aa', '1.4.1', 3);
  await task.does((at, epoch, began) => [
    { type: 'CompleteStep', at, epoch, key: 'reserve', value: 'r-90', ...began },
    { type: 'RequestInput', at, epoch, key: '$elicit', method: 'elicitation/create', params: { message: 'Charge 90?' } },
    { type: 'SuspendPass', at, epoch, waitingFor: ['$elicit'] },
  ]);
  await task.receives('$elicit', { action: 'accept', content: { sure: true } });
  await task.claim('worker-b-02d4aa', '1.4.1');
  await task.does((at, epoch) => [
    { type: 'FailTask', at, epoch, error: { code: -32_603, message: 'The bank has refused', data: { reason: 'BANK_REFUSED' } } },
  ]);
  return task.taskId;
}

/** A task that has written so many events, and goes on. */
export async function longTask(store: Store, events: number): Promise<WrittenTask> {
  const task = await new WrittenTask(store).create('import');
  await task.claim('worker-a-7f3c91');
  const batch = 500;
  for (let from = 2; from < events; from += batch) {
    const count = Math.min(batch, events - from);
    await task.does((at, epoch) =>
      Array.from(
        { length: count },
        (_, index) => ({ type: 'CompleteStep', at, epoch, key: `row:${from + index}`, value: { row: from + index } }) as const,
      ),
    );
  }
  return task;
}
