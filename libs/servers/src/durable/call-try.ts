/**
 * Makes one try of a call, as the body of a step. The try ends with a result, with a task, or with a question for which the call is
 * interrupted.
 */
import { TaskLeftError, type TaskReference } from '@longhaul/client';
import { type StepContext, TaskError } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { limitedSignal } from '@longhaul/runtime/limited-signal';
import { type CallOutcome, outcomeOfError, SwitchedOffError, watchedCall } from '../connection/call-watch.js';
import type { ConnectedServer } from '../connection/connected-server.js';
import type { OpenBook } from './answer-book.js';
import { ServerAuthError } from '../auth/auth-errors.js';
import { boundedResult } from './bounded-result.js';
import type { CalledTool } from './called-tool.js';
import { type FailedCall, failedCall, refusedCall } from './failed-call.js';
import type { AnswerCall, PassConnections } from './pass-connections.js';
import type { QuestionDesk } from './question-desk.js';
import { type Question, valueOf } from './question.js';

/** The result of a call. Plain JSON: it is recorded. */
export type CallRecord =
  | {
      readonly result: CallToolResult;
      readonly connection: string;
      /** What the server kept of earlier calls of other tasks is lost. */
      readonly isAfterLoss?: boolean;
    }
  | FollowedTask
  /** It was left for this question, and is made again with the answer. */
  | { readonly asks: readonly Question[] }
  | FailedCall;

/** A call that has become a task of its server. */
export interface FollowedTask {
  readonly task: TaskReference;
  readonly server: string;
  readonly connection: string;
  /** When it was made, epoch milliseconds. */
  readonly calledAt: number;
}

/** A call is left for this question; it has not acted yet. */
class LeftForQuestion extends Error {
  constructor(readonly question: Question) {
    super('The call waits for an answer.');
  }
}

/**
 * Aborts when the call is no longer wanted. A call that another worker makes again is not cancelled: with the same idempotency key, the
 * other worker would receive the cancelled call.
 */
function untilUnwanted(signal: AbortSignal): AbortSignal {
  const unwanted = new AbortController();
  const abort = (): void => {
    if (signal.reason instanceof TaskError) unwanted.abort(signal.reason);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return unwanted.signal;
}

/** Only this process knows a task that is cancelled before its reference is recorded. */
function cancelIfUnwanted(server: ConnectedServer, reference: TaskReference, signal: AbortSignal): void {
  const cancel = (): void => {
    if (!(signal.reason instanceof TaskError)) return;
    server.resumeTask(reference, { signal: AbortSignal.abort(signal.reason) }).catch(() => undefined); // It rejects with that reason.
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}

/** A call that is left, for its task or for a question, has no outcome yet. */
function outcomeOfTry(error: unknown, signal: AbortSignal): CallOutcome | undefined {
  return error instanceof TaskLeftError || error instanceof LeftForQuestion ? undefined : outcomeOfError(error, signal);
}

/**
 * Calls the tool, and cancels the call at the end of its run (`deadlineMs`, Infinity for never). @throws the reason of the step's signal
 */
export async function tryCall(
  connections: PassConnections,
  called: CalledTool,
  { book, desk, deadlineMs }: { readonly book: OpenBook; readonly desk: QuestionDesk; readonly deadlineMs: number },
  { signal, idempotencyKey }: StepContext,
): Promise<CallRecord> {
  const { id, tool, onProgress } = called;
  const answer: AnswerCall = async (question, { taskId, generation }) => {
    const known = book.find(question);
    if (known !== undefined) return valueOf(known);
    // The task is left in this moment; a look is asked again.
    if (taskId !== undefined && !called.isProcess) return new Promise(() => undefined);
    if (generation === '2026-07-28' && !called.isProcess) throw new LeftForQuestion(question);
    return valueOf(await desk.ask(question));
  };
  try {
    connections.watch?.requireOn(called.server, tool);
    const used = await connections.to(called.server);
    const { id: connection, server } = used;
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) throw new Error('The time of this run has expired.');
    const calledAt = Date.now();
    const end = connections.watch?.begin(called.server, tool);
    const limited = limitedSignal(untilUnwanted(signal), leftMs);
    try {
      const options = {
        callId: id,
        signal: limited.signal,
        onProgress,
        ...(called.takesIdempotencyKey && { idempotencyKey }),
        // Tasks of a process end with it, so they are not left.
        ...(!called.isProcess && { leave: AbortSignal.abort() }),
      };
      const call = () => connections.answering(id, answer, () => server.callTool(tool, called.arguments, options));
      const result = await watchedCall(end, call, (error) => outcomeOfTry(error, signal));
      return { result: boundedResult(result, called.maxResultBytes), connection, ...(used.takeLoss() && { isAfterLoss: true }) };
    } catch (error) {
      if (error instanceof TaskLeftError && error.reference !== undefined) {
        cancelIfUnwanted(server, error.reference, signal);
        return { task: error.reference, server: called.server, connection, calledAt };
      }
      signal.throwIfAborted();
      if (error instanceof LeftForQuestion) return { asks: [error.question] };
      return failedCall(error, called, server);
    } finally {
      limited.clear();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SwitchedOffError) return failedCall(error, called);
    if (error instanceof ServerAuthError) return refusedCall(error);
    return { failure: `${error instanceof Error ? error.message : String(error)} The call was not made.`, effect: 'none' };
  }
}
