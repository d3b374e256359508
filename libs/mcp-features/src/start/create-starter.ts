/**
 * Puts a starter together. It works in the store of a deployment, or by the operator API; the code for the store is loaded only where that is
 * used. All checks of what the program gives, and all meanings of how a task ended, are here: the same for both.
 */
import { FIELD_LIMITS, type JsonObject, optionsOf, type Outcome, problemOfPriority, TaskError } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { DurableTool } from '../tool.js';
import { ResultTimeoutError, StarterError, TaskCancelledError, TaskFailedError, TaskNotFoundError } from './errors.js';
import { inputOf, invalidOptions, jsonOf, keyOf, ownerOf, textOf, timeOf } from './given.js';
import type { Starter, StarterOptions } from './starter.js';
import type { SideTask, StarterSide } from './starter-side.js';

const NAME = /^[\w.@-]{1,64}$/;

/**
 * Opens a starter. Close it when your program ends.
 *
 * @throws StarterError `INVALID_OPTIONS`; `KEYS_MISSING` when the store is encrypted and there is no key. An error with one line that says what to
 *   do when the store cannot be opened, is of another version, or a variable of the settings is wrong
 */
export async function createStarter(options: StarterOptions): Promise<Starter> {
  const given = checked(options);
  return new OpenStarter(await sideOf(given), given.owner);
}

function checked(options: StarterOptions): StarterOptions {
  const given: StarterOptions = optionsOf(
    'createStarter',
    options,
    ['redis', 'dataFile', 'url', 'token', 'name', 'owner', 'tools', 'settings', 'onError'],
    invalidOptions,
  );
  const { redis, dataFile, url, token, name, owner, tools, settings } = given;
  for (const [field, text] of Object.entries({ redis, dataFile, url, token }))
    textOf(`createStarter: ${field}`, text, FIELD_LIMITS.uriBytes);
  if ([redis, dataFile, url].filter((place) => place !== undefined).length !== 1)
    throw invalidOptions('createStarter needs one of redis, dataFile and url.');
  if ((url === undefined) !== (token === undefined)) throw invalidOptions('createStarter needs url and token together.');
  if (url !== undefined && (name ?? tools ?? settings) !== undefined)
    throw invalidOptions('createStarter: with url, the token has the name, and the process there has tools and settings.');
  if (name !== undefined && !NAME.test(name))
    throw invalidOptions('createStarter: name must have 1 to 64 letters, digits, dots, dashes, underscores or @.');
  ownerOf('createStarter', owner);
  return given;
}

async function sideOf(options: StarterOptions): Promise<StarterSide> {
  const { url, token = '' } = options;
  if (url !== undefined) return (await import('./by-api.js')).sideByApi(url, token);
  return (await import('./in-store.js')).sideInStore(options);
}

class OpenStarter implements Starter {
  readonly #closing = new AbortController();
  readonly #calls = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(
    private readonly side: StarterSide,
    private readonly owner: string | undefined,
  ) {}

  start(tool: DurableTool | string, input?: unknown, given?: Parameters<Starter['start']>[2]): Promise<string> {
    return this.#call(undefined, () => {
      const { owner, idempotencyKey, ttl, priority } = optionsOf(
        'start',
        given,
        ['owner', 'idempotencyKey', 'ttl', 'priority'],
        invalidOptions,
      );
      const problem = priority === undefined ? undefined : problemOfPriority('start: priority', priority);
      if (problem !== undefined) throw invalidOptions(problem);
      return this.side.start({
        tool: toolOf(tool),
        input: inputOf(input),
        owner: ownerOf('start', owner) ?? this.owner,
        idempotencyKey: keyOf(idempotencyKey),
        ttlMs: timeOf('start: ttl', ttl, 1),
        priority,
      });
    });
  }

  result(taskId: string, given?: Parameters<Starter['result']>[1]): Promise<never> {
    return this.#call(taskId, async () => {
      const { owner, timeoutMs, signal } = optionsOf('result', given, ['owner', 'timeoutMs', 'signal'], invalidOptions);
      signal?.throwIfAborted();
      const task = this.#task('result', taskId, owner);
      const outcome = await this.#untilEnd(task, timeOf('result: timeoutMs', timeoutMs, 0), signal);
      return resultOf(taskId, outcome) as never;
    });
  }

  status(taskId: string, given?: Parameters<Starter['status']>[1]): ReturnType<Starter['status']> {
    return this.#call(taskId, () =>
      this.side.read(this.#task('status', taskId, optionsOf('status', given, ['owner'], invalidOptions).owner)),
    );
  }

  signal(taskId: string, name: string, value: unknown, given?: Parameters<Starter['signal']>[3]): Promise<boolean> {
    return this.#call(taskId, () => {
      const { owner, id } = optionsOf('signal', given, ['owner', 'id'], invalidOptions);
      return this.side.signal(this.#task('signal', taskId, owner), {
        name: textOf('signal: name', name, FIELD_LIMITS.signalNameBytes),
        value: jsonOf('The value of the signal', value, 'SIGNAL_DOES_NOT_FIT'),
        id: textOf('signal: id', id, FIELD_LIMITS.signalIdBytes),
      });
    });
  }

  cancel(taskId: string, given?: Parameters<Starter['cancel']>[1]): Promise<boolean> {
    return this.#call(taskId, () => {
      const { owner, reason } = optionsOf('cancel', given, ['owner', 'reason'], invalidOptions);
      return this.side.cancel(this.#task('cancel', taskId, owner), textOf('cancel: reason', reason, FIELD_LIMITS.cancelReasonBytes));
    });
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closing.abort(closedError());
    await Promise.allSettled(this.#calls);
    await this.side.close();
  }

  async #untilEnd(task: SideTask, timeoutMs: number | undefined, signal: AbortSignal | undefined): Promise<Outcome> {
    const late = new AbortController();
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => late.abort(new ResultTimeoutError(task.taskId, timeoutMs)), timeoutMs);
    try {
      return await this.side.untilEnd(
        task,
        AbortSignal.any([this.#closing.signal, late.signal, ...(signal === undefined ? [] : [signal])]),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  #task(call: string, taskId: string, owner: string | undefined): SideTask {
    if (typeof taskId !== 'string') throw invalidOptions(`${call}: the id of a task must be a text.`);
    return { taskId, owner: ownerOf(call, owner) ?? this.owner };
  }

  /** Runs a call, which `close` waits for. */
  async #call<T>(taskId: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw closedError();
    const call = (async () => work())();
    this.#calls.add(call);
    try {
      return await call;
    } catch (error) {
      throw asStarterError(error, taskId);
    } finally {
      this.#calls.delete(call);
    }
  }
}

function closedError(): StarterError {
  return new StarterError('STARTER_CLOSED', 'The starter is closed.');
}

function toolOf(tool: DurableTool | string): DurableTool | string {
  if (typeof tool === 'string') return textOf('start: the name of the tool', tool, FIELD_LIMITS.nameBytes);
  if (typeof tool !== 'object' || tool === null || (tool as { readonly kind?: unknown }).kind !== 'tool')
    throw new StarterError('NO_SUCH_TOOL', 'start takes a tool of defineTool, or its name.');
  return tool;
}

function asStarterError(error: unknown, taskId: string | undefined): unknown {
  if (!(error instanceof TaskError)) return error;
  if (error.code === 'TASK_NOT_FOUND' && taskId !== undefined) return new TaskNotFoundError(taskId, { cause: error });
  return new StarterError(error.code, error.message, error.data, { cause: error });
}

/** @throws TaskFailedError; TaskCancelledError */
function resultOf(taskId: string, outcome: Outcome): CallToolResult {
  if (outcome.kind === 'cancelled') throw new TaskCancelledError(taskId, outcome.by, outcome.reason);
  if (outcome.kind === 'error') throw new TaskFailedError(taskId, outcome.error.message, undefined, outcome.error);
  const result = outcome.result as JsonObject & CallToolResult;
  if (result.isError !== true) return result;
  const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  throw new TaskFailedError(taskId, text === '' ? `Task ${taskId} has ended with an error result.` : text, result, undefined);
}
