import { type ListenAtAddress, listenAtAddress, ListenError } from '@longhaul/runtime/listen';
import type { FastifyInstance } from 'fastify';
import { MCP_PATH } from './mcp-routes.js';

/** Where a gateway listens: at an address, or at a socket file (a named pipe on Windows) for the users who may open it. */
export type ListenAt = ListenAtAddress | { readonly socketPath: string };

/** Starts to listen. @returns the URL of the MCP endpoint; on a socket, one for the `Host` header. @throws ListenError */
export async function listen(app: FastifyInstance, at: ListenAt): Promise<string> {
  if ('socketPath' in at) return listenOnSocket(app, at.socketPath);
  return `${await listenAtAddress(app, at, { host: 'HOST', port: 'PORT' })}${MCP_PATH}`;
}

async function listenOnSocket(app: FastifyInstance, socketPath: string): Promise<string> {
  try {
    await app.listen({ path: socketPath });
  } catch (error) {
    throw new ListenError(`Cannot listen on ${socketPath}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return `http://localhost${MCP_PATH}`;
}
