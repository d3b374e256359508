import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { failureOf, HUNG_UP, RpcCode, type RpcFailure } from '../rpc/errors.js';
import { ownFailureIn2026 } from '../generation-2026/requests/error-codes.js';
import { GENERATION } from '../generation-2026/requests/extension.js';
import { errorAnswer, requestIdOf } from '../rpc/messages.js';

/**
 * If a body is refused for its size, up to this size is read and discarded: if its connection were closed while it still writes, a client
 * would see a broken connection instead of the answer.
 */
const MAX_IGNORED_BYTES = 64 * 1024 * 1024;

/** Sends the error of a request from before a method ran. */
export type SendHttpError = (reply: FastifyReply, failure: RpcFailure, id: string | number | null) => FastifyReply;

/**
 * Sends an error from before a method ran, as an HTTP error. @param onRefused receives the sent failure. @param send by default with a
 * JSON-RPC body
 */
export function httpErrorHandler(
  logger: Logger,
  bodyLimitBytes: number,
  onRefused: (failure: RpcFailure) => void,
  send: SendHttpError = sendFailure,
) {
  return (error: FastifyError, { body, headers, raw }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // The client has gone, and it is no fault of the server.
    if (raw.readableAborted) return send(reply, HUNG_UP, null);
    if (error.statusCode === 413 && Number(headers['content-length']) <= MAX_IGNORED_BYTES) reply.removeHeader('connection');
    const failure = fastifyRefusal(error, bodyLimitBytes) ?? failureOf(error, logger.child({ address: raw.socket.remoteAddress }));
    onRefused(failure);
    return send(reply, failure, requestIdOf(body));
  };
}

/** Answers with only an error, in the codes of the protocol version that the request names. */
export function sendFailure(reply: FastifyReply, failure: RpcFailure, id: string | number | null = null): FastifyReply {
  const { httpStatus, headers = {} } = failure;
  const isOf2026 = reply.request.headers['mcp-protocol-version'] === GENERATION;
  return reply
    .code(httpStatus === 200 ? 500 : httpStatus)
    .headers(headers)
    .send(errorAnswer(id, isOf2026 ? ownFailureIn2026(failure) : failure));
}

/** Fastify's own refusals: all of them are about how the request was sent. */
function fastifyRefusal({ statusCode, code, message }: FastifyError, bodyLimitBytes: number): RpcFailure | undefined {
  if (statusCode === undefined || statusCode >= 500 || !code.startsWith('FST_')) return undefined;
  return statusCode === 413
    ? { httpStatus: 413, code: RpcCode.Transport, message: `Request body exceeds the limit of ${bodyLimitBytes} bytes` }
    : { httpStatus: statusCode, code: RpcCode.InvalidRequest, message: `Invalid Request: ${message}` };
}
