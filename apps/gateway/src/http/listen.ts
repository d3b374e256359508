import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { MCP_PATH } from './mcp-routes.js';

/** Why the gateway cannot listen, in one line that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Where a gateway listens: at an address, or at a socket file (a named pipe on Windows) for the users who may open it. */
export type ListenAt = ListenAtAddress | { readonly socketPath: string };

interface ListenAtAddress {
  readonly host: string;
  readonly port: number;
  /** How long to wait for a port that is taken, because another gateway is leaving it. Default: not at all. */
  readonly waitMs?: number;
}

/** How often a taken port is tried. */
const RETRY_MS = 20;

/** Starts to listen. @returns the URL of the MCP endpoint; on a socket, one for the `Host` header. @throws ListenError */
export async function listen(app: FastifyInstance, at: ListenAt): Promise<string> {
  if ('socketPath' in at) return listenOnSocket(app, at.socketPath);
  const { host, port } = at;
  await listenAtAddress(app, at);
  const address = app.server.address();
  const boundTo = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${boundTo}${MCP_PATH}`;
}

async function listenAtAddress(app: FastifyInstance, { host, port, waitMs = 0 }: ListenAtAddress): Promise<void> {
  for (const until = performance.now() + waitMs; ; await delay(RETRY_MS)) {
    try {
      await app.listen({ host, port });
      return;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || performance.now() >= until) throw new ListenError(reasonOf(error, host, port), { cause: error });
    }
  }
}

async function listenOnSocket(app: FastifyInstance, socketPath: string): Promise<string> {
  try {
    await app.listen({ path: socketPath });
  } catch (error) {
    throw new ListenError(`Cannot listen on ${socketPath}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return `http://localhost${MCP_PATH}`;
}

function reasonOf(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is taken. Set PORT to another one, such as PORT=${port + 1}.`;
  if (code === 'EACCES') return `Port ${port} on ${host} is not allowed for this user. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST=${host} is no address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
