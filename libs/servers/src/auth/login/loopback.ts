/**
 * Waits for the browser that an authorization server sends back (RFC 8252): on a random port of 127.0.0.1. Only a request with the `state`
 * of this log-in ends the wait, so no page and no other program can end it. The receiver checks the browser's parameters.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';
/** How long a browser may take to read the page. */
const LEFT_OPEN_MS = 1_000;
const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

/** An address of this machine that a browser is sent back to. */
export interface Loopback {
  readonly redirectUri: string;
  /** The query that the browser has brought. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/** @param state a secret of this log-in */
export async function openLoopback(state: string): Promise<Loopback> {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const query = queryOf(request);
    if (query?.get('state') !== state) return say(response, 400, 'This is no answer to the log-in of the terminal.');
    say(response, 200, 'Go back to the terminal: it says whether you are logged in. You can close this page.');
    resolve(query);
  });
  await new Promise<void>((open, fail) => server.once('error', fail).listen(0, '127.0.0.1', open));
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    answer,
    close: () => {
      server.close();
      // A browser may have opened connections that it does not use.
      setTimeout(() => server.closeAllConnections(), LEFT_OPEN_MS).unref();
    },
  };
}

function queryOf({ method, url = '' }: IncomingMessage): URLSearchParams | undefined {
  const at = URL.parse(url, 'http://127.0.0.1');
  return method === 'GET' && at?.pathname === PATH ? at.searchParams : undefined;
}

function say(response: ServerResponse, status: number, line: string): void {
  response.writeHead(status, HEADERS).end(`${line}\n`);
}
