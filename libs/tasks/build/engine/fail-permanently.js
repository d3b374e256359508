import { JsonRpcCode } from '../domain/json-rpc-code.js';
import { CommandRejected } from '../domain/rejection.js';
/** Ends the task as failed, unless it has ended or is gone. @throws TaskError `STORE_UNAVAILABLE` */
export async function failPermanently(writer, taskId, error) {
    try {
        await writer.write(taskId, { type: 'FailPermanently', at: writer.now, error });
    }
    catch (thrown) {
        if (!(thrown instanceof CommandRejected))
            throw thrown;
    }
}
/** A failure of the engine itself, known by its reason. */
export function failureFor(reason, message) {
    return { code: JsonRpcCode.InternalError, message, data: { reason } };
}
//# sourceMappingURL=fail-permanently.js.map