/**
 * One log line for each request that is refused, with the method, the tool and whose it was, and never with what it was called
 * with. A flood of refused requests must not become one of lines: beyond a number in a second they are only counted.
 */
import type { Logger } from 'pino';
import { RpcCode } from './errors.js';
import type { GatewayReports, OperationEnd, ReceivedRequest } from './operation.js';

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
  readonly reason: string;
}

/** Logs a refusal, if it is one of the first in its second. */
export type LogRefusal = (refusal: LoggedRefusal) => void;

/** @param now milliseconds, of a clock that only goes on */
export function createLogRefusal(log: Pick<Logger, 'info'>, now: () => number = () => performance.now()): LogRefusal {
  let begun = -Infinity;
  let lines = 0;
  let leftOut = 0;
  return (refusal) => {
    if (now() - begun >= SECOND_MS) {
      begun = now();
      lines = 0;
    }
    lines += 1;
    if (lines > MAX_LINES) {
      leftOut += 1;
      return;
    }
    log.info({ ...refusal, ...(leftOut > 0 && { leftOut }) }, 'request refused');
    leftOut = 0;
  };
}

/** Reports that log each request which is answered with an error. What is the server's own fault has its own line, with the stack. */
export function withRefusals(reports: GatewayReports, log: LogRefusal): GatewayReports {
  return {
    ...reports,
    begin(request) {
      const operation = reports.begin(request);
      return {
        ...operation,
        end(answer) {
          operation.end(answer);
          if (answer?.error !== undefined && answer.error.code !== RpcCode.InternalError) log(refusalOf(request, answer.error));
        },
      };
    },
  };
}

function refusalOf(
  { message, owner, receivedAt }: ReceivedRequest,
  { code, message: reason }: NonNullable<OperationEnd['error']>,
): LoggedRefusal {
  const { method, params } = message;
  const name = method === 'tools/call' ? params?.['name'] : undefined;
  const taskId = params?.['taskId'];
  return {
    method,
    ...(typeof name === 'string' && { tool: name }),
    ...(typeof taskId === 'string' && { taskId }),
    ...(owner !== undefined && { owner }),
    durationMs: Date.now() - receivedAt,
    code,
    reason,
  };
}
