/**
 * Answers the requests of a server: by the functions of the call that asks, or of the connection where it is not known which call that is.
 */
import { type ClientContext, INTERNAL_ERROR, ProtocolError, type RequestMethod, type Result } from '@modelcontextprotocol/client';
import { askClient } from '../ask-client.js';
import type { Connection } from '../connection.js';
import { InputFailedError, RpcError } from '../errors.js';
import type { AskingCalls } from './asking-calls.js';
import { INPUT_METHODS, type InputHandlers, type InputKind } from '../input.js';

export interface ClientRequestsOptions {
  /** The capabilities that the client declared; only these can be requested. */
  readonly kinds: readonly InputKind[];
  readonly defaults: InputHandlers;
  readonly askers: AskingCalls;
  readonly onError: (error: Error) => void;
}

/** Has the connection's client answer the server's requests. A program may replace the handlers on the client. */
export function answerClientRequests(connection: Connection, options: ClientRequestsOptions): void {
  for (const kind of options.kinds) {
    const handle = async ({ params }: { params?: unknown }, { mcpReq: { id, signal } }: ClientContext): Promise<Result> => {
      // In the other protocol version, the SDK's client asks for the input of its own requests in this way.
      const isPeer = connection.generation === '2025-11-25';
      const asker = isPeer ? await options.askers.of({ kind, params, origin: connection.origins.take(id), signal }) : undefined;
      if (asker === 'somebody else') return await unanswered();
      try {
        const key = isPeer ? undefined : String(id);
        const request = { kind, params };
        const answer = (): Promise<unknown> =>
          asker?.answer(JSON.stringify([id, params]), request, signal) ??
          askClient(options.defaults, request, { signal, ...(key !== undefined && { key }) });
        return (await options.askers.during(asker, answer)) as Result;
      } catch (error) {
        if (asker?.signal.aborted === true) return await unanswered();
        options.onError(error instanceof Error ? error : new Error(String(error)));
        const given = error instanceof InputFailedError ? error.cause : error;
        if (given instanceof RpcError) throw new ProtocolError(given.code, given.message, given.data);
        // The server does not receive the details of other errors in the program.
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
