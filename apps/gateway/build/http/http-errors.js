import { failureOf, HUNG_UP, RpcCode } from '../rpc/errors.js';
import { ownFailureIn2026 } from '../generation-2026/requests/error-codes.js';
import { GENERATION } from '../generation-2026/requests/extension.js';
import { errorAnswer, requestIdOf } from '../rpc/messages.js';
/**
 * A body that is refused for its size is read and thrown away up to this size: a client whose connection
 * is closed while it still writes sees a broken connection in place of the answer.
 */
const MAX_IGNORED_BYTES = 64 * 1024 * 1024;
/** Sends what was thrown before a method ran as an HTTP error with a JSON-RPC body. @param onRefused called with what is sent */
export function httpErrorHandler(logger, bodyLimitBytes, onRefused) {
    return (error, { body, headers, raw }, reply) => {
        // Nobody reads the answer, and it is no fault of the server.
        if (raw.readableAborted)
            return sendFailure(reply, HUNG_UP);
        if (error.statusCode === 413 && Number(headers['content-length']) <= MAX_IGNORED_BYTES)
            reply.removeHeader('connection');
        const failure = fastifyRefusal(error, bodyLimitBytes) ?? failureOf(error, logger.child({ address: raw.socket.remoteAddress }));
        onRefused(failure);
        return sendFailure(reply, failure, requestIdOf(body));
    };
}
/** Answers with an error and nothing else, in the codes of the protocol version that the request names. */
export function sendFailure(reply, failure, id = null) {
    const { httpStatus, headers = {} } = failure;
    const isOf2026 = reply.request.headers['mcp-protocol-version'] === GENERATION;
    return reply
        .code(httpStatus === 200 ? 500 : httpStatus)
        .headers(headers)
        .send(errorAnswer(id, isOf2026 ? ownFailureIn2026(failure) : failure));
}
/** What Fastify itself refuses: all of it is about how the request was sent. */
function fastifyRefusal({ statusCode, code, message }, bodyLimitBytes) {
    if (statusCode === undefined || statusCode >= 500 || !code.startsWith('FST_'))
        return undefined;
    return statusCode === 413
        ? { httpStatus: 413, code: RpcCode.Transport, message: `Request body exceeds the limit of ${bodyLimitBytes} bytes` }
        : { httpStatus: statusCode, code: RpcCode.InvalidRequest, message: `Invalid Request: ${message}` };
}
//# sourceMappingURL=http-errors.js.map