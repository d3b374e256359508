import { DispatchError, JsonRpcResponseError } from '@modelcontextprotocol/ext-tasks/client';
import { ProtocolDecodeError } from '@modelcontextprotocol/ext-tasks/core';
import { ProtocolViolationError, RpcError } from '../errors.js';

/**
 * Waits for the extension's package.
 *
 * @throws its errors as errors of this library
 */
export async function translated<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw ownError(error);
  }
}

/** The error of this library that an error of the package stands for or hides. */
export function ownError(error: unknown): unknown {
  if (error instanceof JsonRpcResponseError) return new RpcError(error.code, error.message, error.data);
  if (error instanceof DispatchError && error.cause !== undefined) return error.cause;
  if (error instanceof ProtocolDecodeError)
    return new ProtocolViolationError('The server sent something that the tasks extension does not allow.', { cause: error });
  // Other faults of the server that the package finds have no class of their own.
  if (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype)
    return new ProtocolViolationError(error.message, { cause: error });
  return error;
}
