/**
 * One log line for each request that is refused, with the method, the tool and whose it was, and never with what it was called
 * with. A flood of refused requests must not become one of lines: beyond a number in a second they are only counted.
 */
import type { Logger } from 'pino';
import { RpcCode } from './errors.js';
import { shownMethod } from './methods.js';
import type { GatewayReports, OperationEnd, RefusedAnswer, ReceivedRequest } from './operation.js';

const MAX_LINES = 20;
const SECOND_MS = 1_000;

/** A request that is refused; the logger writes hashes for ids and owners. */
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

/** @param now milliseconds, of a clock that only goes on */
export function createLogRefusal(log: Pick<Logger, 'info'>, now?: () => number): LogRefusal {
  return firstOfEachSecond(
    (refusal: LoggedRefusal, leftOut) => log.info({ ...refusal, ...(leftOut > 0 && { leftOut }) }, 'request refused'),
    now,
  );
}

/** What the server says before a method runs, in words of its own. */
const OWN_WORDS: ReadonlySet<number> = new Set([RpcCode.Transport, RpcCode.Refused, RpcCode.SessionNotFound]);

/**
 * Logs refusals without what callers and features say: names that only the caller has given to something, and reasons that may repeat
 * what was sent. Limits that are reached have lines of their own.
 *
 * @param isTool whether there is a tool of that name
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

/** Passes the first values of each second on, each with the number of those that were left out since the one before. */
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

/** Reports that log each request which the server refuses. @param audit called with the same, and what else was answered as an error of the server's own */
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
      // Nothing else of the request is held: it may be large, and its stream may last.
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
 * An error with another code is what a feature has answered with. What is the server's own fault has its own line, with the stack;
 * what it cannot do just now has not.
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
