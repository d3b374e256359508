/** Sends requests of clients to servers from the gateway, within the request: quick tools, prompts, resources and completions. */
import { RpcError } from '@longhaul/client';
import { formOfOthers, ProtocolError, type RequestContext } from '@longhaul/mcp-features';
import { type ConnectedServer, failureText, type LeaseRequest, type ServerConfig, type ServerPool } from '@longhaul/servers';
import type {
  CallToolResult,
  CreateMessageRequestParamsBase,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
} from '@modelcontextprotocol/sdk/types.js';
import { randomUUID } from 'node:crypto';
import { ownResult } from './own-result.js';
import { connectionKey } from './connection-key.js';

/** How long a tool that runs within a request may take, unless the file says otherwise. */
const QUICK_TIMEOUT_MS = 300_000;

export interface QuickCall {
  readonly config: ServerConfig;
  readonly tool: string;
  readonly timeoutMs?: number | undefined;
}

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export class QuickRequests {
  constructor(private readonly pool: ServerPool) {}

  /** Calls a tool. @throws ProtocolError for an error of the server; Error when it cannot be reached */
  async call(
    { config, tool, timeoutMs }: QuickCall,
    args: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<CallToolResult> {
    const callId = randomUUID();
    return this.during(config, context, callId, async (server) => {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs ?? QUICK_TIMEOUT_MS)]);
      const onProgress = ({ progress, total, message }: Progress): void =>
        context.progress({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
      return ownResult(await server.callTool(tool, args, { callId, signal, onProgress }));
    });
  }

  /** Runs something on the caller's connection. @throws as `call` */
  async during<T>(config: ServerConfig, context: RequestContext, callId: string, run: (server: ConnectedServer) => Promise<T>): Promise<T> {
    const key = connectionKey(config, context);
    const handlers = config.sessions === 'shared' ? {} : handlersOf(context);
    const lease = await this.pool.lease({ config, key, handlers, owns: (id) => id === callId });
    try {
      return await run(lease.server);
    } catch (error) {
      if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data);
      if (context.signal.aborted) throw error;
      throw new Error(failureText(error, lease.server), { cause: error });
    } finally {
      lease.release();
    }
  }
}

/** The client of the request answers what its server asks. */
function handlersOf(context: RequestContext): LeaseRequest['handlers'] {
  return {
    ...(context.elicitEnabled && {
      elicitation: (params) => context.elicit(formOfOthers(params as never) as unknown as ElicitRequestFormParams | ElicitRequestURLParams),
    }),
    ...(context.sampleEnabled && { sampling: (params) => context.sample(params as CreateMessageRequestParamsBase) }),
    ...(context.rootsEnabled && { roots: () => context.roots() }),
  };
}
