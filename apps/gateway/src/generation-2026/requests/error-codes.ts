/**
 * Maps the codes of errors to revision 2026-07-28. The specification reserves -32020 to -32099, and no longer defines two codes of older
 * revisions; a feature that uses such a code was written for other revisions.
 */
import { RpcCode, type RpcFailure } from '../../rpc/errors.js';

const RESERVED = { from: -32099, to: -32020 };

/** The codes that the specification has defined in its range. */
const DEFINED: ReadonlySet<number> = new Set([RpcCode.HeaderMismatch, RpcCode.MissingCapability, RpcCode.UnsupportedVersion]);

/** @returns this revision's substitute for a code of the gateway's own errors */
export function ownCodeIn2026(code: number): number {
  return code === RpcCode.Transport ? RpcCode.Refused : codeIn2026(code);
}

/** One of the gateway's own errors in the codes of this revision. */
export function ownFailureIn2026({ code, message, data, httpStatus }: RpcFailure): RpcFailure {
  return { code: ownCodeIn2026(code), message, data, httpStatus };
}

/** @returns the code itself if this revision has it, otherwise its substitute */
export function codeIn2026(code: number): number {
  if (code === RpcCode.ResourceNotFound) return RpcCode.InvalidParams;
  if (!Number.isInteger(code)) return RpcCode.InternalError;
  const isReserved = code >= RESERVED.from && code <= RESERVED.to;
  return isReserved && !DEFINED.has(code) ? RpcCode.InternalError : code;
}
