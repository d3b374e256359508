/**
 * Makes one model call of the loop, with its tries. Each try is a step, and its failure is a value of that step. A replay repeats neither,
 * and waits for as long as the endpoint asked at the time.
 */
import { isBudgetExceeded } from '@longhaul/tasks';
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { ChatModel, ChatReply, ChatRequest, Usage } from '../model/chat-model.js';
import { ModelError, type ModelErrorCode } from '../model/model-error.js';
import { usageOf } from '../model/usage.js';
import type { AgentHost } from './agent-host.js';
import type { SetLimits } from './agent-limits.js';
import { limitedSignal } from '@longhaul/runtime/limited-signal';

const FIRST_WAIT_MS = 1_000;
const MAX_MESSAGE_BYTES = 2_048;
/** Each call has a result in the conversation, also the many that are not made. */
const MAX_CALLS = 1_024;

/** The result of a try. Plain JSON: it is recorded. */
type Try = { readonly reply: ChatReply } | { readonly failure: Failure } | { readonly isLate: true };

interface Failure {
  readonly code: ModelErrorCode;
  readonly message: string;
  readonly isTransient: boolean;
  readonly retryAfterMs?: number;
  /** The usage of answers that could not be used. */
  readonly usage?: Usage;
}

/** The result of a model call: a reply, or the reason why there is none. */
export type Asked =
  | { readonly reply: ChatReply }
  | { readonly isLate: true }
  /** The usage of failed tries has reached a limit. */
  | { readonly isUsedUp: true }
  | { readonly code: ModelErrorCode; readonly message: string };

/** Where and how a model is asked. */
export interface Asking {
  readonly model: ChatModel;
  readonly host: AgentHost;
  readonly limits: SetLimits;
  /** Of the step. */
  readonly name: string;
  /** Milliseconds that are left by the host's clock. */
  readonly leftMs: () => number;
  /** Called for each try. */
  readonly onTry: () => void;
  /** Counts what a try in vain has used. @returns whether a limit is reached */
  readonly count: (usage: Usage) => boolean;
}

/** Asks until there is a reply, an error that stays, or no try or time left. @throws the reason of the host's signal */
export async function askModel(asking: Asking, request: ChatRequest): Promise<Asked> {
  const { host, limits, name, leftMs } = asking;
  for (let tries = 1; ; tries += 1) {
    host.signal.throwIfAborted();
    const leftForTry = leftMs();
    if (leftForTry <= 0) return { isLate: true };
    asking.onTry();
    const tried = await host
      .step<Try>(name, (signal) => tryOnce(asking, request, leftForTry, signal))
      .catch((error: unknown): Try => stepFailure(error, host));
    if (!('failure' in tried)) return tried;
    const { failure } = tried;
    const isUsedUp = failure.usage !== undefined && asking.count(failure.usage);
    const waitMs = failure.retryAfterMs ?? Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), limits.maxModelWaitMs);
    const why = whyNoMoreTries(failure, tries, waitMs, asking);
    if (why !== undefined) return { code: failure.code, message: `${failure.message}${why}` };
    if (isUsedUp) return { isUsedUp };
    host.report({ type: 'retry', afterMs: waitMs, reason: failure.message });
    await host.sleep(`${name}: wait`, waitMs);
  }
}

/** The addition to the message of the last failure; nothing while it makes sense to try again. */
function whyNoMoreTries(failure: Failure, tries: number, waitMs: number, { limits, leftMs }: Asking): string | undefined {
  if (!failure.isTransient) return '';
  if (tries >= limits.maxModelTries) return tries === 1 ? '' : ` (after ${tries} tries)`;
  if (waitMs > limits.maxModelWaitMs) return ` (the endpoint asks to wait ${waitMs} ms; at most ${limits.maxModelWaitMs} are allowed)`;
  return waitMs >= leftMs() ? ` (no time is left to try again after ${waitMs} ms)` : undefined;
}

async function tryOnce({ model, host }: Asking, request: ChatRequest, leftMs: number, stepSignal: AbortSignal): Promise<Try> {
  const limited = limitedSignal(stepSignal, leftMs);
  try {
    const options = { signal: limited.signal, onDelta: (delta: object) => host.report({ type: 'delta', ...delta }) };
    const reply = await untilAborted(model.complete(request, options), limited.signal);
    if (reply.toolCalls.length > MAX_CALLS) {
      const why = `The model made ${reply.toolCalls.length} calls in one message, and at most ${MAX_CALLS} are taken`;
      return { failure: failureOf(new ModelError('BAD_RESPONSE', why), usageOf(reply, request.messages)) };
    }
    if (reply.toolCalls.length > 0 || reply.content.trim() !== '') return { reply: { ...reply, model: model.name } };
    return { failure: failureOf(new ModelError('BAD_RESPONSE', 'No content and no tool calls'), usageOf(reply, request.messages)) };
  } catch (error) {
    stepSignal.throwIfAborted();
    if (isBudgetExceeded(error)) throw error;
    return limited.isOver ? { isLate: true } : { failure: failureOf(error) };
  } finally {
    limited.clear();
  }
}

/** A step may fail as a whole, as by its own time limit, or with a value that is too large to be recorded. */
function stepFailure(error: unknown, host: AgentHost): Try {
  if (isBudgetExceeded(error)) throw error;
  host.signal.throwIfAborted();
  return { failure: failureOf(error) };
}

/** An error that is no `ModelError` does not count as transient. */
function failureOf(error: unknown, usage?: Usage): Failure {
  if (!(error instanceof ModelError)) return { code: 'REFUSED', message: messageOf(error), isTransient: false };
  const { code, isTransient, retryAfterMs, usage: used = usage } = error;
  return {
    code,
    message: messageOf(error),
    isTransient,
    ...(retryAfterMs !== undefined && { retryAfterMs: Math.max(0, retryAfterMs) }),
    ...(used !== undefined && { usage: used }),
  };
}

function messageOf(error: unknown): string {
  return cutWithNote(error instanceof Error ? error.message : String(error), MAX_MESSAGE_BYTES);
}
