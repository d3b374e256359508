/**
 * Assigns requests of a server of protocol version 2025-11-25 to the client's calls. A request of a task names the task. Any other request
 * belongs to the call of the stream on which it came, if the stream shows it. Otherwise it belongs to the only call that runs. When several
 * calls run, only `onInput` of the connection can answer it.
 */
import {
  type ClientContext,
  INTERNAL_ERROR,
  ProtocolError,
  RELATED_TASK_META_KEY,
  type RequestMethod,
  type Result,
} from '@modelcontextprotocol/client';
import type { ActiveCall } from '../active-call.js';
import { askClient } from '../ask-client.js';
import type { Connection } from '../connection.js';
import { INPUT_METHODS, type InputHandlers, type InputKind } from '../input.js';

export interface ClientRequestsOptions {
  /** The capabilities that the client declared; only these can be requested. */
  readonly kinds: readonly InputKind[];
  readonly defaults: InputHandlers;
  readonly calls: ReadonlySet<ActiveCall>;
  readonly onError: (error: Error) => void;
}

/** Has the connection's client answer the server's requests. A program may replace the handlers on the client. */
export function answerClientRequests(connection: Connection, options: ClientRequestsOptions): void {
  for (const kind of options.kinds) {
    const handle = async ({ params }: { params?: unknown }, { mcpReq: { id, signal } }: ClientContext): Promise<Result> => {
      // In the other protocol version, the SDK's client asks for the input of its own requests in this way.
      const isPeer = connection.generation === '2025-11-25';
      const asker = isPeer ? await askerOf(params, connection.wire.takeOrigin(id), options.calls) : undefined;
      if (asker === 'somebody else') return await unanswered();
      try {
        const request = { kind, params };
        const answer = asker?.answer(JSON.stringify([id, params]), request, signal) ?? askClient(options.defaults, request, { signal });
        return (await answer) as Result;
      } catch (error) {
        if (asker?.signal.aborted === true) return await unanswered();
        options.onError(error instanceof Error ? error : new Error(String(error)));
        // The server does not receive the details of errors in the program.
        throw new ProtocolError(INTERNAL_ERROR, 'The client could not answer the request.');
      }
    };
    connection.client.setRequestHandler<RequestMethod>(INPUT_METHODS[kind], handle as never);
  }
}

/** No answer at all: an error would be one, and the task would not be asked again when it is taken up. */
function unanswered(): Promise<never> {
  return new Promise(() => undefined);
}

/** The call that the request belongs to, if that is known. The task may belong to another process in the same session. */
async function askerOf(
  params: unknown,
  origin: string | undefined,
  calls: ReadonlySet<ActiveCall>,
): Promise<ActiveCall | 'somebody else' | undefined> {
  const meta = (params as { _meta?: Record<string, { taskId?: unknown } | undefined> } | undefined)?._meta;
  const taskId = meta?.[RELATED_TASK_META_KEY]?.taskId;
  const waiting = (): ActiveCall[] => [...calls].filter(({ reference }) => reference === undefined);
  if (taskId === undefined) {
    const only = waiting().length === 1 ? waiting()[0] : undefined;
    return origin === undefined ? only : [...calls].find(({ requestIds }) => requestIds.has(origin));
  }
  for (;;) {
    const call = [...calls].find(({ reference }) => reference?.taskId === taskId);
    if (call !== undefined) return call;
    if (waiting().length === 0) return 'somebody else';
    // The question may have overtaken the handle of its task.
    await Promise.race(waiting().map(({ answered }) => answered));
  }
}
