/** How errors are sent in revision 2026-07-28, where that differs. */
import { declarationOf, TaskError } from '@longhaul/tasks';
import { MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server';
import { failureOf, Refusal, RpcCode } from '../../rpc/errors.js';
import { CapabilitiesMissing } from '../../rpc/capabilities-missing.js';
import { codeIn2026, ownCodeIn2026, ownFailureIn2026 } from './error-codes.js';
import { TASKS_EXTENSION } from './extension.js';
/** The user has not opened what the call needs. */
export class UrlsNotOpened extends Error {
    name = 'UrlsNotOpened';
}
/** The client has not declared the tasks extension, which the request needs. */
export function tasksExtensionMissing() {
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
}
/**
 * The failure that the client receives, with the status of the response if that has not begun. What is refused before its method
 * runs has a status of its own; an error of a method is an answer like others, but for one that the specification excepts.
 */
export function failureIn2026(error, logger) {
    if (error instanceof Refusal) {
        const failure = failureOf(error, logger);
        const { httpStatus, headers = {} } = failure;
        return { ...ownFailureIn2026(failure), httpStatus: httpStatus === 200 ? 500 : httpStatus, headers };
    }
    const { code, message, data } = protocolErrorOf(error, logger);
    return { code, message, data, httpStatus: code === RpcCode.MissingCapability ? 400 : 200 };
}
/** The error that the client receives. The server's own faults are logged here. */
export function protocolErrorOf(error, logger) {
    if (error instanceof ProtocolError)
        return error;
    if (error instanceof CapabilitiesMissing)
        return capabilitiesMissing(error.missing, error.message);
    if (error instanceof TaskError && error.code === 'CLIENT_LACKS_CAPABILITY')
        return notAsked(error);
    if (error instanceof UrlsNotOpened)
        return new ProtocolError(RpcCode.InternalError, error.message);
    const { code, message, data } = failureOf(error, logger);
    const isOwn = error instanceof TaskError || error instanceof Refusal;
    return new ProtocolError(isOwn ? ownCodeIn2026(code) : codeIn2026(code), message, data);
}
/** A feature has asked its client for what that has not declared, or for what this revision has not. */
function notAsked({ data, message }) {
    const { capability } = (data ?? {});
    if (capability === undefined)
        return new ProtocolError(RpcCode.InternalError, message);
    return capabilitiesMissing([capability], message);
}
function capabilitiesMissing(missing, message) {
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: declarationOf(missing) }, message);
}
//# sourceMappingURL=failures.js.map