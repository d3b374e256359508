/** Defines the reports of a gateway about its requests, for traces and metrics. Methods know only these interfaces. */
import type { IncomingHttpHeaders } from 'node:http';
import { type TraceContext, traceContextOf } from '@longhaul/runtime/telemetry';
import type { TaskView } from '@longhaul/tasks';
import type { RequestMessage } from './messages.js';

/** A request whose method is about to run. */
export interface ReceivedRequest {
  readonly message: Pick<RequestMessage, 'id' | 'method' | 'params'>;
  readonly headers: IncomingHttpHeaders;
  readonly protocolVersion: string;
  readonly sessionId?: string;
  /** The owner, if it is known. */
  readonly owner?: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** The part of a JSON-RPC answer that shows how a request went. */
export interface OperationEnd {
  readonly result?: unknown;
  readonly error?: RefusedAnswer;
}

/** An error that a request is answered with. */
export interface RefusedAnswer {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** Present if the error is the whole response. */
  readonly httpStatus?: number;
}

/** A request that is being answered. */
export interface Operation {
  /** Work for the request continues this trace: it is recorded with the task that is made for it. */
  readonly trace: TraceContext | undefined;
  /** The trace that requests to the client name: the request's trace, if it is reported. */
  readonly askedIn?: TraceContext;
  /** Runs work as a part of the request. */
  within<T>(work: () => T): T;
  /** Names the task that the request is about. */
  about(task: Pick<TaskView, 'taskId' | 'trace' | 'traceState'>): void;
  /** Reports how the request went; without an answer, the client had gone. Only the first call counts. */
  end(answer?: OperationEnd): void;
}

/** The reports of a gateway. */
export interface GatewayReports {
  begin(request: ReceivedRequest): Operation;
  sessionOpened(): void;
  /** @param openedAt when it was opened, epoch milliseconds; absent if that is not known */
  sessionEnded(openedAt?: number): void;
  /** Reports a request that was refused before a method ran. */
  refused(httpStatus: number): void;
}

/** A request without reports. */
export function silentOperation(trace?: TraceContext): Operation {
  return { trace, within: (work) => work(), about: () => undefined, end: () => undefined };
}

/** Reports nothing; the trace of a request still continues. */
export const NO_REPORTS: GatewayReports = {
  begin: ({ message, headers }) => silentOperation(traceOf(message.params, headers)),
  sessionOpened: () => undefined,
  sessionEnded: () => undefined,
  refused: () => undefined,
};

/** The trace of a request: from its metadata, otherwise from its HTTP headers. */
function traceOf(params: ReceivedRequest['message']['params'], headers: IncomingHttpHeaders): TraceContext | undefined {
  return metadataTraceOf(params) ?? traceContextOf(headers);
}

/** The trace that the metadata of a request name. */
export function metadataTraceOf(params: ReceivedRequest['message']['params']): TraceContext | undefined {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? traceContextOf(meta as Readonly<Record<string, unknown>>) : undefined;
}
