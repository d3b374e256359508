/**
 * Sends HTTP to the gateway over its socket. It uses Node's own client, which distinguishes a request that was never sent from one that may
 * have been sent: only the first is always safe to repeat.
 */
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

import { errorCode } from '../user-error.js';

/** The errors of a connection that has not reached the gateway: it does not listen, or too many connections wait for it. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE']);

/** A request to the gateway. */
export interface GatewayRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'HEAD';
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  /** Whether to use a connection of its own. On a reused connection, the death of the gateway is noticed only after sending. */
  readonly isAlone?: boolean;
  readonly signal: AbortSignal;
}

export class GatewayConnection {
  readonly #agent = new Agent({ keepAlive: true });

  /** @param url where the endpoint is on the socket */
  constructor(
    private readonly socketPath: string,
    private readonly url: string,
  ) {}

  /**
   * Resolves when the response begins.
   *
   * @throws Error of the connection, see `isUnsent`; the signal's when it aborts
   */
  request({ method, headers, body, isAlone = false, signal }: GatewayRequest): Promise<IncomingMessage> {
    const { host, pathname } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const options = { agent: isAlone ? false : this.#agent, socketPath: this.socketPath, path: pathname, method, signal };
      const outgoing = request({ ...options, headers: { host, ...headers } });
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Whether the error is one of the connection. */
export function isBroken(error: unknown): boolean {
  return errorCode(error) !== undefined;
}

/** Whether the gateway certainly has got nothing of the request that failed so. */
export function isUnsent(error: unknown): boolean {
  return UNSENT.has(errorCode(error) ?? '');
}
