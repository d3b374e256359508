/**
 * Writes one log line for each refused request, with the method, the tool and the caller, and never with the arguments. A flood of refused
 * requests must not become a flood of lines: beyond a number in a second they are only counted.
 */
import type { Logger } from 'pino';
import { RpcCode } from './errors.js';
import { shownMethod } from './methods.js';
import type { GatewayReports, OperationEnd, RefusedAnswer, ReceivedRequest } from './operation.js';

const MAX_LINES = 20;
const SECOND_MS = 1_000;

/** A refused request; the logger writes hashes for ids and owners. */
export interface LoggedRefusal {
  readonly method?: string;
  readonly tool?: string;
  readonly taskId?: string;
  readonly owner?: string;
  readonly durationMs?: number;
  readonly status?: number;
  readonly code: number;
  readonly reason?: string;
}

/** Logs a refusal, if it is one of the first in its second. */
export type LogRefusal = (refusal: LoggedRefusal) => void;

/** @param now milliseconds, of a monotonic clock */
export function createLogRefusal(log: Pick<Logger, 'info'>, now?: () => number): LogRefusal {
  return firstOfEachSecond(
    (refusal: LoggedRefusal, leftOut) => log.info({ ...refusal, ...(leftOut > 0 && { leftOut }) }, 'request refused'),
    now,
  );
}

/** Codes of errors whose message is the server's own, from before a method runs. */
const OWN_WORDS: ReadonlySet<number> = new Set([RpcCode.Transport, RpcCode.Refused, RpcCode.SessionNotFound]);

/**
 * Logs refusals without the words of callers and features: names that only the caller has chosen, and reasons that may repeat parts of the
 * request. Reached limits have separate lines.
 *
 * @param isTool whether a tool has that name
 */
export function withoutWords(log: LogRefusal, isTool: (name: string) => boolean): LogRefusal {
  return ({ method, tool, reason, ...refusal }) => {
    const { status, code } = refusal;
    log({
      ...(method !== undefined && { method: shownMethod(method) }),
      ...(tool !== undefined && isTool(tool) && { tool }),
      ...refusal,
      ...(reason !== undefined && status !== undefined && OWN_WORDS.has(code) && { reason }),
    });
  };
}

/** Passes on the first values of each second, each with the number of values that were left out since the previous one. */
export function firstOfEachSecond<T>(
  take: (value: T, leftOut: number) => void,
  now: () => number = () => performance.now(),
): (value: T) => void {
  let begun = -Infinity;
  let taken = 0;
  let leftOut = 0;
  return (value) => {
    if (now() - begun >= SECOND_MS) {
      begun = now();
      taken = 0;
    }
    taken += 1;
    if (taken > MAX_LINES) {
      leftOut += 1;
      return;
    }
    take(value, leftOut);
    leftOut = 0;
  };
}

/** Reports that log each request that the server refuses. @param audit receives the same refusals, and other errors of the server */
export function withRefusals(
  reports: GatewayReports,
  log: LogRefusal,
  audit: (refused: RefusedAnswer) => void = () => undefined,
): GatewayReports {
  return {
    ...reports,
    begin(request) {
      const operation = reports.begin(request);
      const { receivedAt } = request;
      // No other part of the request is kept: it may be large, and its stream may last.
      const named = namesOf(request);
      return {
        ...operation,
        end(answer) {
          operation.end(answer);
          if (answer?.error === undefined || !isRefusal(answer.error)) return;
          const { code, message: reason } = answer.error;
          audit(answer.error);
          log({ ...named, durationMs: Date.now() - receivedAt, code, reason });
        },
      };
    },
  };
}

const OWN_CODES: ReadonlySet<number> = new Set(Object.values(RpcCode));

/**
 * An error with another code is a feature's own answer. The server's own fault has a separate line, with the stack; a temporary inability
 * has none.
 */
function isRefusal({ code, data }: NonNullable<OperationEnd['error']>): boolean {
  if (code !== RpcCode.InternalError) return OWN_CODES.has(code);
  return typeof data === 'object' && data !== null && 'retryable' in data;
}

function namesOf({ message, owner }: ReceivedRequest): Pick<LoggedRefusal, 'method' | 'tool' | 'taskId' | 'owner'> {
  const { method, params } = message;
  const name = method === 'tools/call' ? params?.['name'] : undefined;
  const taskId = params?.['taskId'];
  return {
    method,
    ...(typeof name === 'string' && { tool: name }),
    ...(typeof taskId === 'string' && { taskId }),
    ...(owner !== undefined && { owner }),
  };
}
