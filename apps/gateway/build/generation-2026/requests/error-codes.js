/**
 * The codes that errors may have in revision 2026-07-28. The specification keeps -32020 to -32099 for itself, and
 * no longer defines two codes of older revisions; a feature that uses one of those was written for other revisions.
 */
import { RpcCode } from '../../rpc/errors.js';
const RESERVED = { from: -32099, to: -32020 };
/** What the specification has defined in its range. */
const DEFINED = new Set([RpcCode.HeaderMismatch, RpcCode.MissingCapability, RpcCode.UnsupportedVersion]);
/** @returns what stands in this revision for a code of the gateway's own errors */
export function ownCodeIn2026(code) {
    return code === RpcCode.Transport ? RpcCode.Refused : codeIn2026(code);
}
/** One of the gateway's own errors in the codes of this revision. */
export function ownFailureIn2026({ code, message, data, httpStatus }) {
    return { code: ownCodeIn2026(code), message, data, httpStatus };
}
/** @returns the code itself if this revision has it, otherwise what stands for it here */
export function codeIn2026(code) {
    if (code === RpcCode.ResourceNotFound)
        return RpcCode.InvalidParams;
    if (!Number.isInteger(code))
        return RpcCode.InternalError;
    const isReserved = code >= RESERVED.from && code <= RESERVED.to;
    return isReserved && !DEFINED.has(code) ? RpcCode.InternalError : code;
}
//# sourceMappingURL=error-codes.js.map