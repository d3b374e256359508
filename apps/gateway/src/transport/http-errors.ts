import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { failureOf, Refusal, RpcCode, type RpcFailure } from '../errors.js';

/** Tells whatever was thrown before an exchange as an HTTP error with a JSON-RPC body. */
export function httpErrorHandler(logger: Logger, bodyLimitBytes: number) {
  return (error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = fastifyRefusal(error, bodyLimitBytes) ?? failureOf(error, logger);
    return sendFailure(reply, failure, error instanceof Refusal ? error.id : null);
  };
}

/** Answers with an error and nothing else. */
export function sendFailure(
  reply: FastifyReply,
  { httpStatus, code, message, headers = {} }: RpcFailure,
  id: string | number | null,
): FastifyReply {
  return reply
    .code(httpStatus === 200 ? 500 : httpStatus)
    .headers(headers)
    .send({ jsonrpc: '2.0', error: { code, message }, id });
}

/** What Fastify itself refuses: all of it is about how the request was sent. */
function fastifyRefusal({ statusCode, code, message }: FastifyError, bodyLimitBytes: number): RpcFailure | undefined {
  if (statusCode === undefined || statusCode >= 500 || !code.startsWith('FST_')) return undefined;
  return statusCode === 413
    ? { httpStatus: 413, code: RpcCode.Transport, message: `Request body exceeds the limit of ${bodyLimitBytes} bytes` }
    : { httpStatus: statusCode, code: RpcCode.InvalidRequest, message: `Invalid Request: ${message}` };
}
