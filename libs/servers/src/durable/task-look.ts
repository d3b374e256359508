/** Polls a task of a server, as the body of a step. */
import { ConnectionLostError, RpcError, TaskFailedError, TaskLeftError, type TaskReference, type TaskStatus } from '@longhaul/client';
import { JsonRpcCode, type StepContext } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type CallOutcome, outcomeOfError, watchedCall } from '../connection/call-watch.js';
import { ServerStartError } from '../connection/connect-server.js';
import type { OpenBook } from './answer-book.js';
import { boundedResult } from './bounded-result.js';
import type { CalledTool } from './called-tool.js';
import { type FailedCall, failedCall } from './failed-call.js';
import type { AnswerCall, PassConnections } from './pass-connections.js';
import { keyOf, type Question, valueOf } from './question.js';

/** The result of a poll, and the questions that it has answered. */
export type LookRecord = { readonly answered: readonly string[] } & (
  | { readonly result: CallToolResult }
  | { readonly asks: readonly Question[] }
  | FailedCall
  /** Its server cannot be reached, which says nothing about the task. */
  | { readonly away: string }
  | { readonly goesOn: true; readonly pollIntervalMs?: number; readonly statusMessage?: string }
);

/** Several questions come in one moment, and are relayed together. */
const MORE_QUESTIONS_MS = 50;

/** A look at a task of a server. */
export interface TaskLook {
  readonly reference: TaskReference;
  /** When the call was made that has become the task, epoch milliseconds. */
  readonly calledAt: number;
  readonly book: OpenBook;
  readonly listenMs: number;
}

/** Follows a task for so long at most. @throws the reason of the step's signal */
export async function lookAtTask(
  connections: PassConnections,
  called: CalledTool,
  { reference, calledAt, book, listenMs }: TaskLook,
  { signal }: StepContext,
): Promise<LookRecord> {
  const asks: Question[] = [];
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  // A cancellation of this task does not cancel the server's task here: another worker may follow it by now.
  signal.addEventListener('abort', leave, { once: true });
  const answer: AnswerCall = async (question) => {
    const known = book.find(question);
    if (known !== undefined) return valueOf(known);
    if (!asks.some((asked) => keyOf(asked) === keyOf(question))) asks.push(question);
    setTimeout(leave, MORE_QUESTIONS_MS);
    return new Promise(() => undefined);
  };
  let status: Pick<TaskStatus, 'pollIntervalMs' | 'statusMessage'> = {};
  try {
    const { server } = await connections.to(called.server);
    const timer = setTimeout(leave, listenMs);
    const end = connections.watch?.begin(called.server, called.tool, calledAt);
    try {
      const options = {
        callId: called.id,
        leave: leaving.signal,
        onProgress: called.onProgress,
        onStatus: (latest: TaskStatus) => {
          status = latest;
        },
      };
      const follow = () => connections.answering(called.id, answer, () => server.resumeTask(reference, options));
      const result = await watchedCall(end, follow, (error) => outcomeOfLook(error, signal));
      return { result: boundedResult(result, called.maxResultBytes), answered: book.given };
    } finally {
      clearTimeout(timer);
    }
  } catch (error) {
    signal.throwIfAborted();
    const answered = book.given;
    if (error instanceof TaskLeftError) {
      if (asks.length > 0) return { asks, answered };
      const { pollIntervalMs, statusMessage } = status;
      return {
        goesOn: true,
        answered,
        ...(pollIntervalMs !== undefined && { pollIntervalMs }),
        ...(statusMessage !== undefined && { statusMessage }),
      };
    }
    // Whether it has taken the answers is not known, so they are kept.
    if (isAway(error)) return { away: messageOf(error), answered: [] };
    return { ...failedCall(error, called), answered };
  }
}

/** Has the server cancel a task. @throws what keeps it from that */
export async function cancelTask(connections: Pick<PassConnections, 'to'>, server: string, reference: TaskReference): Promise<void> {
  const unwanted = new Error('The task is not wanted any more.');
  try {
    await (await connections.to(server)).server.resumeTask(reference, { signal: AbortSignal.abort(unwanted) });
  } catch (error) {
    if (error !== unwanted) throw error;
  }
}

/** A task that continues has no outcome. */
function outcomeOfLook(error: unknown, signal: AbortSignal): CallOutcome | undefined {
  return error instanceof TaskLeftError || isAway(error) ? undefined : outcomeOfError(error, signal);
}

/** Whether this says nothing about the task: its server cannot be reached, is turned off, or has a fault. */
function isAway(error: unknown): boolean {
  if (error instanceof ConnectionLostError || error instanceof ServerStartError) return true;
  return error instanceof RpcError && !(error instanceof TaskFailedError) && error.code === JsonRpcCode.InternalError;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
