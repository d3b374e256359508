/** Calls one server's tools, with the host's answers to their questions, and within the configured time limit. */
import { type CallOptions, type FollowOptions, type InputHandlers, type TaskClient, type TaskReference } from '@longhaul/client';
import { MAX_URL_ROUNDS, requiredElicitations } from '@longhaul/mcp-features';
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import type { CallToolResult, ElicitRequestURLParams } from '@modelcontextprotocol/sdk/types.js';
import type { ServerConfig } from '../config/server-config.js';
import { inputHandlersFor, type ServerHandlers } from './server-handlers.js';
import { tracedCall } from './traced-call.js';

export interface ServerCallsOptions {
  readonly client: TaskClient;
  readonly config: ServerConfig;
  readonly handlers: ServerHandlers;
}

/** A call, or a task that is taken up. The host's handlers answer what it asks. */
export type FollowServerOptions = Omit<FollowOptions, 'onInput'> & {
  /** The id of the model's call, for those who are asked. */
  readonly callId?: string;
};

export type CallServerOptions = FollowServerOptions & Omit<CallOptions, keyof FollowOptions>;

export class ServerCalls {
  constructor(private readonly options: ServerCallsOptions) {}

  async call(name: string, args: Readonly<Record<string, unknown>>, options: CallServerOptions = {}): Promise<CallToolResult> {
    const { client, config } = this.options;
    for (let visits = 0; ; visits += 1) {
      try {
        return await this.#during(options, (following) =>
          tracedCall(
            config.name,
            name,
            () => client.callTool(name, args, { ...options, ...following, meta: this.#meta(options) }) as Promise<CallToolResult>,
          ),
        );
      } catch (error) {
        const elicitations = requiredElicitations(error);
        if (elicitations === undefined || this.options.handlers.elicitation === undefined) throw error;
        const text = error instanceof Error ? error.message : String(error);
        if (visits === MAX_URL_ROUNDS) throw new Error(`${text}, also after the user had opened it ${visits} times.`, { cause: error });
        const refusal = await this.#visit(elicitations, name, options);
        if (refusal !== undefined) throw new Error(`${text}: the user answered with ${refusal}.`, { cause: error });
      }
    }
  }

  async resume(reference: TaskReference, options: FollowServerOptions = {}): Promise<CallToolResult> {
    return this.#during(options, (following) => this.options.client.resumeTask(reference, { ...options, ...following }));
  }

  async #during(
    { callId, signal }: FollowServerOptions,
    run: (following: Required<Pick<FollowOptions, 'onInput' | 'signal'>>) => ReturnType<TaskClient['callTool']>,
  ): Promise<CallToolResult> {
    const { config, handlers } = this.options;
    const end = new AbortController();
    const { timeoutMs } = config;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => end.abort(new Error(`The server "${config.name}" did not answer within ${timeoutMs} ms; the call was cancelled.`)),
            timeoutMs,
          );
    const own = inputHandlersFor(handlers, { server: config.name, ...(callId !== undefined && { callId }) });
    try {
      const signals = [end.signal, ...(signal === undefined ? [] : [signal])];
      return (await run({ onInput: this.#endingCalls(own, end), signal: AbortSignal.any(signals) })) as CallToolResult;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Protocol version 2026-07-28 has no message for a refused or failed request. A task would wait for its answer for ever, so it is
   * cancelled. In the other version the server receives an error.
   */
  #endingCalls(handlers: InputHandlers, end: AbortController): InputHandlers {
    if (this.options.client.generation === '2025-11-25') return handlers;
    const ending = <A extends readonly unknown[], R>(kind: string, handle: ((...args: A) => R | Promise<R>) | undefined) =>
      handle && {
        [kind]: async (...args: A): Promise<R> => {
          try {
            return await handle(...args);
          } catch (error) {
            end.abort(error);
            throw error;
          }
        },
      };
    const { elicitation, sampling, roots } = handlers;
    return { ...ending('elicitation', elicitation), ...ending('sampling', sampling), ...ending('roots', roots) };
  }

  /** Has pages visited that a tool wants to be visited before it is called. @returns the answer that is none, if there is one */
  async #visit(
    elicitations: readonly ElicitRequestURLParams[],
    tool: string,
    { callId, signal = new AbortController().signal }: FollowServerOptions,
  ): Promise<string | undefined> {
    const { config, handlers } = this.options;
    const { elicitation } = inputHandlersFor(handlers, { server: config.name, ...(callId !== undefined && { callId }) });
    for (const params of elicitations) {
      const answer = await elicitation?.(params, { tool, signal });
      if (answer?.action !== 'accept') return answer?.action ?? 'nothing';
    }
    return undefined;
  }

  /** In protocol version 2026-07-28 each call says which messages of the log it wants. */
  #meta({ meta }: CallServerOptions): Readonly<Record<string, unknown>> {
    const { client, handlers } = this.options;
    const isAsked = handlers.logLevel !== undefined && client.generation === '2026-07-28';
    return { ...meta, ...(isAsked && { [LOG_LEVEL_META_KEY]: handlers.logLevel }) };
  }
}
