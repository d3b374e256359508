import { RpcError } from '@longhaul/client';
import { ProtocolError } from '@modelcontextprotocol/client';

/** The error with which a server has answered, if it is one: of this library's requests, or of requests of the SDK's client. */
export function answeredError(error: unknown): Pick<RpcError, 'code' | 'message' | 'data'> | undefined {
  return error instanceof RpcError || error instanceof ProtocolError ? error : undefined;
}
