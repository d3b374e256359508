/**
 * Makes a call of a tool, from its beginning to its result. The call may take any time, and survives the death of any number of workers.
 *
 * A step records at its end only. So a call that must not be made twice is announced by a step before it. If a pass finds the announcement
 * and not the call, it is unknown whether the call was made. A call that has become a task is recorded by its reference. The run polls the
 * task, and holds no resources between the polls.
 */
import type { TaskReference } from '@longhaul/client';
import type { Progress } from '@modelcontextprotocol/client';
import type { DurableContext } from '@longhaul/mcp-features';
import type { Semaphore } from '@longhaul/runtime/semaphore';
import type { JsonObject, StepContext } from '@longhaul/tasks';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { askableCapabilities, type PassConnections } from './pass-connections.js';
import { isRepeatable, type ServerConfig, takesIdempotencyKey } from '../config/server-config.js';
import { AnswerBook } from './answer-book.js';
import { type CallRecord, type FollowedTask, tryCall } from './call-try.js';
import type { CalledTool } from './called-tool.js';
import type { FailedCall } from './failed-call.js';
import type { WithLog } from './heard-log.js';
import { QuestionDesk } from './question-desk.js';
import type { Answer, Question } from './question.js';
import { relay } from './relay.js';
import { type ServerStates, withLossNote } from './server-states.js';
import type { StatusLine, Wait } from './status-line.js';
import { cancelTask, lookAtTask, type LookRecord, type TaskLook } from './task-look.js';

/** How long the first look at a task listens, and the one after an answer: many end soon. Later ones only see what there is. */
const FIRST_LISTEN_MS = 5_000;
const LISTEN_MS = 500;
const FIRST_WAIT_MS = 1_000;
const WAIT_FACTOR = 1.5;
const LONGEST_WAIT_MS = 60_000;
/** After hours, waits are longer: a part of what was waited already, so that a task of days does not fill the history. */
const WAITS_OF_AGE = 100;
/** Looks in a row that do not reach the server, before its task is given up: a quarter of an hour, or longer. */
const MAX_AWAY = 20;

/** The question of a call that is left: it is asked again with the answer, whenever that comes. */
const NEVER = new AbortController().signal;

/** A call of a tool. */
export interface RemoteRequest {
  readonly tool: {
    /** In messages. */
    readonly name: string;
    /** As the server lists it. */
    readonly listed: ListedTool;
  };
  readonly arguments: JsonObject;
}

/** How a call is made. */
export interface RemoteRequestOptions {
  /** The deadline of the call, epoch milliseconds of the task's clock. Absent for never. */
  readonly deadlineMs?: number;
  /** Called with the reports of the running tool, in words and as they came. */
  readonly onProgress?: (message: string, progress: Progress) => void;
  /** Of the result, bytes; what is larger is cut, with a note. Absent for what a language model is shown. */
  readonly maxResultBytes?: number;
}

/** A call has no result. */
export class RemoteCallFailed extends Error {
  override readonly name = 'RemoteCallFailed';
  /** Whether the server has acted on the call: not at all, or it is not known. Absent: it has answered with an error. */
  readonly effect: FailedCall['effect'];
  /** The JSON-RPC error of the server, if that is why. */
  readonly error: FailedCall['error'];
  /** Whether there is no token of the caller for the server any more. */
  readonly isExpired: boolean;

  constructor(
    { failure, effect, error, isExpired }: FailedCall,
    /** Whether nothing is lost when it is made again. */
    readonly isRepeatable: boolean,
  ) {
    super(failure);
    this.effect = effect;
    this.error = error;
    this.isExpired = isExpired === true;
  }
}

export interface RemoteCallOptions {
  readonly context: DurableContext;
  readonly status: StatusLine;
  readonly connections: PassConnections;
  readonly states: ServerStates;
  /** Lets questions through to the client, including questions of other calls. */
  readonly relays: Semaphore;
  readonly config: ServerConfig;
  /** The protocol version that is spoken with the server. */
  readonly generation: string;
  /** Of the calls of this task, in their order. */
  readonly number: number;
  /** Whether it is this pass that recorded the step which announces the call. Absent where no step before it does. */
  readonly isAnnouncedHere?: boolean;
  readonly request: RemoteRequest;
  readonly options: RemoteRequestOptions;
}

export class RemoteCall {
  private readonly book = new AnswerBook();
  private readonly called: CalledTool;
  private readonly isRepeatable: boolean;
  private tries = 0;

  constructor(private readonly call: RemoteCallOptions) {
    const { config, number, request, options } = call;
    const { listed } = request.tool;
    const takesKey = takesIdempotencyKey(listed.name, config);
    this.isRepeatable = takesKey || isRepeatable(listed);
    this.called = {
      // Calls of several tasks may be made on one connection.
      id: `${call.context.taskId}/${number}`,
      server: config.name,
      isProcess: config.kind === 'stdio',
      tool: listed.name,
      arguments: request.arguments,
      takesIdempotencyKey: takesKey,
      maxResultBytes: options.maxResultBytes,
      onProgress: (progress) => options.onProgress?.(progress.message ?? `${progress.progress}`, progress),
    };
  }

  /** @throws Error with the message for the model */
  async run(): Promise<CallToolResult> {
    const endsAt = this.endsAt();
    for (;;) {
      const record = await this.try();
      if ('asks' in record) await this.relayAll(record.asks);
      else if ('failure' in record) throw new RemoteCallFailed(record, this.isRepeatable);
      else if ('task' in record) {
        // The questions of the call are answered. Its task may ask the same words and mean something else.
        this.book.clear();
        const wait = this.call.status.wait();
        return await this.follow(record, endsAt, wait).finally(() => wait.end());
      } else return this.noted(record);
    }
  }

  private noted({ result, connection, isAfterLoss = false }: Extract<CallRecord, { result: unknown }>): CallToolResult {
    const { states, config } = this.call;
    const isLost = isAfterLoss || states.isLost(config, connection);
    states.note(config, connection);
    return isLost ? withLossNote(result, config.name) : result;
  }

  private async try(): Promise<CallRecord> {
    const { connections, number, options } = this.call;
    const { deadlineMs = Infinity } = options;
    const desk = new QuestionDesk();
    const mayBeMade = this.isRepeatable || (await this.isAnnouncedHere());
    // If a question fails, the call stays without an answer until the time limit of its step.
    const wanted = new AbortController();
    this.relayHeld(desk, wanted.signal).catch(() => undefined);
    let why = 'the call that asked it has ended.';
    try {
      const record = await this.heard(`call ${number}`, async (step): Promise<CallRecord> => {
        // It was announced by an earlier pass, which has not recorded what became of it.
        if (!mayBeMade) return { failure: this.unknownText, effect: 'unknown' };
        return tryCall(connections, this.called, { book: this.book.open(), desk, deadlineMs }, step);
      });
      if ('failure' in record) why = `the call that asked it has ended. ${record.failure}`;
      return record;
    } finally {
      desk.close();
      // The call that would receive the answer has ended.
      wanted.abort(new Error(why));
    }
  }

  /** Runs a step, and passes on what the server logs during it. */
  private async heard<T extends object>(name: string, body: (step: StepContext) => Promise<T>): Promise<T> {
    const { context, connections } = this.call;
    const run = async (step: StepContext): Promise<T & WithLog> => ({ ...(await body(step)), ...connections.log.take() });
    const record = (await context.step<unknown>(name, run)) as T & WithLog;
    for (const { level, data, logger } of record.log ?? []) context.log(level, data, logger);
    return record;
  }

  /** Whether it is this pass that announces it. */
  private async isAnnouncedHere(): Promise<boolean> {
    // One that asks the client is made again with the answer, and is announced again.
    const known = this.tries++ === 0 ? this.call.isAnnouncedHere : undefined;
    if (known !== undefined) return known;
    let isHere = false;
    await this.call.context.step(`begin ${this.call.number}`, () => {
      isHere = true;
    });
    return isHere;
  }

  private get unknownText(): string {
    const { tool } = this.call.request;
    return `It is unknown whether this call of ${tool.name} was carried out: the worker died during it. It is unsafe to repeat it, so find out first.`;
  }

  /** Relays the questions of the running call, one after the other. A replay relays the recorded questions and answers. */
  private async relayHeld(desk: QuestionDesk, wanted: AbortSignal): Promise<void> {
    const { context, config, generation, number } = this.call;
    const isHeld = config.kind === 'stdio' || generation === '2025-11-25';
    if (!isHeld || Object.keys(askableCapabilities(context)).length === 0) return;
    while (!wanted.aborted) {
      const { question } = (await context.step<unknown>(`question of ${number}`, async ({ signal }) => ({
        question: (await desk.next(signal)) ?? null,
      }))) as { question: Question | null };
      if (question === null) return;
      const answer = this.relay(question, wanted);
      desk.relay(question, answer);
      await answer;
    }
  }

  private async relayAll(questions: readonly Question[]): Promise<void> {
    const answers = await Promise.all(questions.map((question) => this.relay(question, NEVER)));
    for (const [index, question] of questions.entries()) this.book.add(question, answers[index] as Answer);
  }

  private async relay(question: Question, wanted: AbortSignal): Promise<Answer> {
    const { context, status, config, request, relays } = this.call;
    const { name: server } = config;
    const tool = request.tool.listed.name;
    const leave = await relays.enter();
    try {
      return await status.during(`Waiting for an answer to a question of ${tool} (server "${server}")`, () =>
        relay(context, question, { server, tool }, wanted),
      );
    } finally {
      leave();
    }
  }

  private async follow({ task: reference, calledAt }: FollowedTask, endsAt: number, wait: Wait): Promise<CallToolResult> {
    const { context, config, number, request } = this.call;
    let listenMs = FIRST_LISTEN_MS;
    for (let waits = 0, away = 0, waitedMs = 0; ;) {
      const record = await this.look({ reference, calledAt, listenMs });
      this.book.drop(record.answered);
      if ('result' in record) return record.result;
      if ('failure' in record) throw new RemoteCallFailed(record, this.isRepeatable);
      if ('asks' in record) {
        await this.relayAll(record.asks);
        listenMs = FIRST_LISTEN_MS;
        continue;
      }
      away = 'away' in record ? away + 1 : 0;
      if ('away' in record && away > MAX_AWAY)
        throw new RemoteCallFailed(
          { failure: `${record.away} The task of this call may continue there.`, effect: 'unknown' },
          this.isRepeatable,
        );
      const leftMs = await this.timeLeft(reference, endsAt);
      const what = 'away' in record ? 'its server cannot be reached' : (record.statusMessage ?? 'it works');
      wait.say(`Waiting for ${request.tool.name} (server "${config.name}"): ${what}`);
      const asked = 'goesOn' in record ? (record.pollIntervalMs ?? 0) : 0;
      const growing = Math.min(Math.max(asked, FIRST_WAIT_MS * WAIT_FACTOR ** waits), LONGEST_WAIT_MS);
      const waitMs = Math.max(growing, Math.round(waitedMs / WAITS_OF_AGE));
      await context.sleep(`wait for ${number}`, Math.min(waitMs, leftMs));
      waits += 1;
      waitedMs += waitMs;
      listenMs = LISTEN_MS;
    }
  }

  private async look(look: Omit<TaskLook, 'book'>): Promise<LookRecord> {
    const { connections, number } = this.call;
    const book = this.book.open();
    return this.heard(`look at ${number}`, (step) => lookAtTask(connections, this.called, { ...look, book }, step));
  }

  /** The deadline of the call, by the clock of the task. */
  private endsAt(): number {
    const { context, config, options } = this.call;
    const limits = [options.deadlineMs, config.timeoutMs === undefined ? undefined : context.now() + config.timeoutMs];
    return Math.min(...limits.filter((limit) => limit !== undefined));
  }

  /** Milliseconds until the deadline of the call. */
  private async timeLeft(reference: TaskReference, endsAt: number): Promise<number> {
    const { context, connections, config, number, request } = this.call;
    const leftMs = endsAt === Infinity ? Infinity : endsAt - context.now();
    if (leftMs > 0) return leftMs;
    const problem = await context.step(`cancel ${number}`, async () => {
      try {
        await cancelTask(connections, config.name, reference);
        return '';
      } catch (error) {
        return ` It could not be cancelled: ${String(error)}`;
      }
    });
    throw new Error(`${request.tool.name} did not end in time.${problem}`);
  }
}
