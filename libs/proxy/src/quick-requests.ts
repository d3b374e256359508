/** Sends requests of clients to servers from the gateway, within the request: quick tools, prompts, resources and completions. */
import { ConnectionLostError } from '@longhaul/client';
import { ProtocolError, type RequestContext } from '@longhaul/mcp-features';
import { limitedSignal } from '@longhaul/runtime/limited-signal';
import {
  answeredError,
  type CallWatch,
  type ConnectedServer,
  failureText,
  type Lease,
  outcomeOfError,
  type ServerConfig,
  type ServerPool,
  SwitchedOffError,
  type ToolSettings,
  watchedCall,
} from '@longhaul/servers';
import { withLossNote } from '@longhaul/servers/durable';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { randomUUID } from 'node:crypto';
import type { CallerGrants } from './caller-grants.js';
import { type CallLimits, ServerBusy } from './call-limits.js';
import { clientAnswers } from './client-answers.js';
import { passedLog } from './passed-log.js';
import { ownResult } from './own-result.js';
import type { SlowTools } from './slow-tools.js';

type Arguments = Readonly<Record<string, unknown>>;

/** How long a tool that runs within a request may take, unless the file says otherwise. */
const QUICK_TIMEOUT_MS = 300_000;
/** How often a request is made that its process did not get. */
const MAX_ATTEMPTS = 2;

export interface QuickCall {
  readonly config: ServerConfig;
  readonly tool: string;
  /** Whether the call may be made twice. */
  readonly isRepeatable: boolean;
  readonly settings: ToolSettings;
}

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Why a call is left that takes longer. */
class BecomesTask extends Error {}

export interface QuickRequestsOptions {
  readonly pool: ServerPool;
  readonly slow: SlowTools;
  readonly grants: CallerGrants;
  readonly watch: CallWatch;
  readonly limits: CallLimits;
}

/** Callbacks and limits of a call. */
interface Course {
  readonly signal: AbortSignal;
  readonly isRepeatable: boolean;
  /** The server is called now: it is connected, and has room. */
  readonly onCall?: () => void;
  /** The server asks its client. */
  readonly onAsk?: () => void;
}

export class QuickRequests {
  constructor(private readonly options: QuickRequestsOptions) {}

  /** Calls a tool. @throws ProtocolError for an error of the server; ServerBusy; Error when it cannot be reached */
  async call(call: QuickCall, args: Arguments, context: RequestContext): Promise<CallToolResult> {
    const { timeoutMs = QUICK_TIMEOUT_MS } = call.settings;
    const limited = limitedSignal(context.signal, timeoutMs, () => timeoutOf(call, timeoutMs));
    try {
      return await this.#call(call, args, context, { signal: limited.signal, isRepeatable: call.isRepeatable });
    } finally {
      limited.clear();
    }
  }

  /**
   * Calls a tool that only reads, and waits for `quickMs`; one that has asked its client by then is waited for longer. Nothing of a call that
   * is left matters: a task makes it again.
   *
   * @returns nothing if the call has to become a task: it takes longer, its tool is known to be slow, or its server cannot be reached
   * @throws ProtocolError for an error of the server; ServerBusy where the file says that calls are refused
   */
  async attempt(call: QuickCall, quickMs: number, args: Arguments, context: RequestContext): Promise<CallToolResult | undefined> {
    const { config, tool, settings } = call;
    const { slow } = this.options;
    if (slow.has(config.name, tool)) return undefined;
    const end = new AbortController();
    const onAbort = (): void => end.abort(context.signal.reason);
    if (context.signal.aborted) onAbort();
    context.signal.addEventListener('abort', onAbort, { once: true });
    const left = Promise.withResolvers<undefined>();
    let calledAt = Infinity;
    let timer = setTimeout(() => {
      // What has not been connected in time is not slow because of that.
      if (performance.now() - calledAt >= quickMs / 2) slow.note(config.name, tool, true);
      left.resolve(undefined);
      end.abort(new BecomesTask('The call becomes a task.'));
    }, quickMs);
    const { timeoutMs = QUICK_TIMEOUT_MS } = settings;
    const course = {
      signal: end.signal,
      isRepeatable: call.isRepeatable,
      onCall: () => (calledAt = performance.now()),
      onAsk: () => {
        clearTimeout(timer);
        timer = setTimeout(() => end.abort(timeoutOf(call, timeoutMs)), timeoutMs);
      },
    };
    try {
      const running = this.#call(call, args, context, course);
      running.catch(() => undefined); // It may be left.
      const result = await Promise.race([running, left.promise]);
      if (result !== undefined) slow.note(config.name, tool, false);
      return result;
    } catch (error) {
      const isRefused = error instanceof ServerBusy && (settings.whenBusy ?? config.whenBusy) === 'refuse';
      if (error instanceof ProtocolError || isRefused || end.signal.aborted) throw error;
      return undefined;
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', onAbort);
    }
  }

  /** Runs something else on the caller's connection. @throws as `call` */
  during<T>(config: ServerConfig, context: RequestContext, run: (server: ConnectedServer) => Promise<T>): Promise<T> {
    return this.options.limits.during({ config, tenant: context.tenant }, context.signal, () =>
      this.#on(config, context, { signal: context.signal, isRepeatable: true }, ({ server }) => run(server)),
    );
  }

  #call(call: QuickCall, args: Arguments, context: RequestContext, course: Course): Promise<CallToolResult> {
    const { config, tool } = call;
    const { signal, onCall } = course;
    const onProgress = ({ progress, total, message }: Progress): void =>
      context.progress({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
    this.#requireOn(config.name, tool);
    const isFollowed = context.request.progressToken !== undefined;
    return this.options.limits.during({ ...call, tenant: context.tenant }, signal, () =>
      this.#on(config, context, course, async (lease, callId) => {
        onCall?.();
        const end = this.options.watch.begin(config.name, tool);
        const made = () => lease.server.callTool(tool, args, { callId, signal, ...(isFollowed && { onProgress }) });
        // Its task counts.
        const result = ownResult(
          await watchedCall(end, made, (error) => (signal.reason instanceof BecomesTask ? undefined : outcomeOfError(error, signal))),
        );
        return lease.takeLoss() ? withLossNote(result, config.name) : result;
      }),
    );
  }

  /**
   * Runs something on the caller's connection. A request that a process did not get before it ended, such as after some idle minutes, is made
   * again with another process.
   */
  async #on<T>(
    config: ServerConfig,
    context: RequestContext,
    { signal, onAsk, isRepeatable }: Course,
    run: (lease: Lease, callId: string) => Promise<T>,
  ): Promise<T> {
    this.#requireOn(config.name);
    const callId = randomUUID();
    const handlers = config.sessions === 'shared' ? {} : clientAnswers(context, { onAsk, isRepeatable });
    // On a connection of all callers it is not known whom a message is for.
    const heard = config.sessions === 'shared' ? {} : { onLog: passedLog(context) };
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.options.pool.lease({
        config,
        ...this.options.grants.ofRequest(config, context),
        handlers,
        owns: (id) => id === callId,
        ...heard,
      });
      try {
        signal.throwIfAborted();
        return await run(lease, callId);
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && wasNotMade(error) && !signal.aborted) continue;
        const answered = answeredError(error);
        if (answered !== undefined) throw new ProtocolError(answered.code, answered.message, answered.data);
        if (signal.aborted) throw error;
        throw new Error(failureText(error, lease.server), { cause: error });
      } finally {
        lease.release();
      }
    }
  }

  /** @throws ProtocolError when an operator has turned it off */
  #requireOn(server: string, tool?: string): void {
    try {
      this.options.watch.requireOn(server, tool);
    } catch (error) {
      throw error instanceof SwitchedOffError ? new ProtocolError(error.code, error.message, error.data) : error;
    }
  }
}

function timeoutOf({ config, tool }: QuickCall, timeoutMs: number): Error {
  return new Error(`${tool} of the server "${config.name}" did not answer within ${timeoutMs} ms (timeoutMs); the call was cancelled.`);
}

function wasNotMade(error: unknown): boolean {
  return error instanceof ConnectionLostError && error.effect === 'none';
}
