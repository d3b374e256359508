import { ProtocolError } from '@longhaul/mcp-features';
import { RpcCode } from '../errors.js';
/**
 * What the request behind a task is answered with: the result, or the error that the request ended with.
 *
 * The specification names no answer for a cancelled task. The server made no mistake, so it is
 * answered like the other wrong states of a task, with -32602.
 *
 * @throws ProtocolError for a task that ended with an error or was cancelled
 */
export function answerOf(outcome) {
    switch (outcome.kind) {
        case 'result':
            return outcome.result;
        case 'error':
            throw new ProtocolError(outcome.error.code, outcome.error.message, outcome.error.data);
        case 'cancelled':
            throw new ProtocolError(RpcCode.InvalidParams, `Task was cancelled${outcome.reason === undefined ? '' : `: ${outcome.reason}`}`);
    }
}
//# sourceMappingURL=outcome.js.map