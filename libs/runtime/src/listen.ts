/** Lets processes listen at an address, and reports a failure in one line. */
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Why a process cannot listen, in one line that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** A server that can listen, such as Fastify. */
interface ListeningServer {
  listen(at: { readonly host: string; readonly port: number }): Promise<unknown>;
  readonly server: { address(): AddressInfo | string | null };
}

/** Where to listen. */
export interface ListenAtAddress {
  readonly host: string;
  readonly port: number;
  /** How long to wait for a taken port, because another process is leaving it, milliseconds. @defaultValue not at all */
  readonly waitMs?: number;
}

/** The variables that set the address. */
export interface AddressVariables {
  readonly host: string;
  readonly port: string;
}

/** How often a taken port is tried. */
const RETRY_MS = 20;

/** Starts to listen. @returns its URL, without a path. @throws ListenError */
export async function listenAtAddress(app: ListeningServer, at: ListenAtAddress, variables: AddressVariables): Promise<string> {
  const { host, port, waitMs = 0 } = at;
  for (const until = performance.now() + waitMs; ; await delay(RETRY_MS)) {
    try {
      await app.listen({ host, port });
      break;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || performance.now() >= until) throw new ListenError(reasonOf(error, at, variables), { cause: error });
    }
  }
  const address = app.server.address();
  const boundTo = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${boundTo}`;
}

function reasonOf(error: unknown, { host, port }: ListenAtAddress, names: AddressVariables): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken. Set ${names.port} to another one, such as ${names.port}=${port + 1}.`;
  if (code === 'EACCES') return `Port ${port} on ${host} is not allowed for this user. Set ${names.port} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${names.host}=${host} is no address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
