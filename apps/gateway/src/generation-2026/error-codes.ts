/**
 * The codes that errors may have in revision 2026-07-28. The specification keeps -32020 to -32099 for itself, and has
 * given up two codes of older revisions; a feature that uses one of those was written for other revisions.
 */
import { RpcCode } from '../errors.js';

const RESERVED = { from: -32099, to: -32020 };

/** What the specification has defined in its range. */
const DEFINED: ReadonlySet<number> = new Set([RpcCode.HeaderMismatch, RpcCode.MissingCapability, RpcCode.UnsupportedVersion]);

/** @returns the code itself if this revision has it, otherwise what stands for it here */
export function codeIn2026(code: number): number {
  if (code === RpcCode.ResourceNotFound) return RpcCode.InvalidParams;
  if (!Number.isInteger(code)) return RpcCode.InternalError;
  const isReserved = code >= RESERVED.from && code <= RESERVED.to;
  return isReserved && !DEFINED.has(code) ? RpcCode.InternalError : code;
}
