import { type ApplicationInputHandler, type ToolExecution, withTasks } from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue, RuntimeCodec } from '@modelcontextprotocol/ext-tasks/core';
import type { ActiveCall } from '../active-call.js';
import type { Connection } from '../connection.js';
import { ProtocolViolationError, RpcError } from '../errors.js';
import type { TaskAccess } from '../following/follow-task.js';
import { toolResult } from '../following/task-snapshot.js';
import type { CallAnswer, GenerationAdapter, ToolCall } from '../generation-adapter.js';
import { inputKindOf, type InputRequest } from '../input.js';
import { LingeringSignal } from '../lingering-signal.js';
import { ToolDeclarations } from '../tool-declarations.js';
import { checkedAnswer } from './checked-answer.js';
import { ownError, translated } from './extension-errors.js';
import { paramHeaders } from './param-headers.js';
import { sessionPort } from './session-port.js';
import { snapshotOfView } from './snapshots.js';
import { TaskAccess2026 } from './task-access.js';
import { TaskSubscription } from './task-subscription.js';

/** How long an aborted call stays connected: the end of the stream cancels the call, but not a task that it has just become. */
const ANSWER_GRACE_MS = 250;
/**
 * How often a call without a task may ask for input before it is answered. Without the limit a server could continue for ever, without any
 * question to the user.
 */
const MAX_INPUT_ROUNDS = 100;
const HEADER_MISMATCH = -32_020;

/** Results are checked where the call is answered, which lets them have content of unknown kinds. */
const AS_IT_IS: RuntimeCodec<unknown> = { parse: (value) => ({ success: true, value }) };

type Json = Readonly<Record<string, JsonValue>>;

/** Generation 2026-07-28: the server decides whether a call becomes a task. */
export class Generation2026 implements GenerationAdapter {
  readonly #tools: ToolDeclarations;
  readonly #subscription: TaskSubscription;

  constructor(private readonly connection: Connection) {
    this.#tools = new ToolDeclarations(connection);
    this.#subscription = new TaskSubscription(connection);
  }

  async start(toolCall: ToolCall, call: ActiveCall): Promise<CallAnswer> {
    const { name } = toolCall;
    const lingering = new LingeringSignal(call.signal, ANSWER_GRACE_MS);
    try {
      return await this.#call(toolCall, call, await this.#schemaOf(name), lingering.signal);
    } catch (error) {
      if (!(error instanceof RpcError && error.code === HEADER_MISMATCH)) throw error;
      // The server has not run it: the schema that says which headers it wants has changed.
      this.#tools.forget();
      return await this.#call(toolCall, call, await this.#schemaOf(name), lingering.signal);
    } finally {
      lingering.dispose();
    }
  }

  task(taskId: string, call: ActiveCall): TaskAccess {
    return new TaskAccess2026(this.connection, this.#subscription, taskId, call);
  }

  async close(): Promise<void> {
    this.#subscription.close();
  }

  /** The input schema that the server lists for the tool. Only headers depend on it, so transports without headers do not read it. */
  async #schemaOf(name: string): Promise<unknown> {
    if (!this.connection.hasHeaders) return undefined;
    try {
      return (await this.#tools.find(name))?.inputSchema;
    } catch (error) {
      if (error instanceof RpcError) return undefined; // A server may serve a tool that it does not list.
      throw error;
    }
  }

  async #call(toolCall: ToolCall, call: ActiveCall, inputSchema: unknown, signal: AbortSignal): Promise<CallAnswer> {
    const { name, meta, isRepeatable } = toolCall;
    const inputs = new InputsBeforeTask(call);
    const details = {
      isRepeatable,
      onSend: (id: string) => void call.requestIds.add(id),
      onResult: (result: unknown) => inputs.askAll(result),
    };
    const session = withTasks(sessionPort(this.connection, details), {
      tools: { currentTool: () => undefined },
      onInputRequest: inputs.answer,
      maxInputRounds: MAX_INPUT_ROUNDS,
    });
    const execution = await translated(
      session.callTool(name, toolCall.arguments as Json | undefined, {
        signal,
        metadata: meta as Json,
        resultCodec: AS_IT_IS,
        headers: paramHeaders(inputSchema, toolCall.arguments),
      }),
    );
    return execution.kind === 'task' ? takeOver(execution) : resultOf(execution);
  }
}

/**
 * Answers what the server asks before the call has become a task. The package asks for one answer after the other; all requests of a result
 * are asked at the same time here.
 */
class InputsBeforeTask {
  #rounds = 0;

  constructor(private readonly call: ActiveCall) {}

  /** Asks whatever a result asks. Only the answers that the package then asks for are checked, and only their failures count. */
  askAll(result: unknown): void {
    const { resultType, inputRequests } = result as { readonly resultType?: unknown; readonly inputRequests?: unknown };
    if (resultType !== 'input_required') return;
    // Each round may ask again under the same key, and wants a new answer.
    this.#rounds += 1;
    for (const [key, request] of Object.entries(inputRequests ?? {})) {
      const { method, params } = request as { readonly method?: unknown; readonly params?: unknown };
      const kind = typeof method === 'string' ? inputKindOf(method) : undefined;
      if (kind !== undefined) this.#answerTo(key, { kind, params, key }).catch(() => undefined);
    }
  }

  readonly answer: ApplicationInputHandler['handle'] = async ({ kind, params }, { inputId = '' }) =>
    checkedAnswer(kind, await this.#answerTo(inputId, { kind, params, key: inputId })) as never;

  #answerTo(key: string, request: InputRequest): Promise<unknown> {
    return this.call.answer(`round ${this.#rounds} ${key}`, request);
  }
}

/** The package would poll by itself. This library follows the task instead. */
async function takeOver(execution: ToolExecution<unknown>): Promise<CallAnswer> {
  const events = execution.updates()[Symbol.asyncIterator]();
  const first = await events.next();
  await execution.detach();
  if (first.done === true || first.value.type !== 'task') throw new Error('The execution of a task did not begin with the task.');
  return { task: snapshotOfView(first.value.task) };
}

async function resultOf(execution: ToolExecution<unknown>): Promise<CallAnswer> {
  const outcome = await execution.result();
  if (outcome.status === 'completed') {
    const { resultType } = outcome.result as { readonly resultType?: unknown };
    if (resultType !== 'complete') throw new ProtocolViolationError('What the server sent does not say that it is a complete result.');
    return { result: toolResult(outcome.result) };
  }
  throw outcome.status === 'failed' ? ownError(outcome.error.cause ?? outcome.error) : new Error('A call without a task was cancelled.');
}
