/**
 * Runs a proxy that sends each request to the next of its targets, like a load balancer without stickiness. A target that does not accept
 * the connection is skipped. The response of a target that breaks off is lost.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running proxy. */
export interface RoundRobin {
  /** Address of the endpoint. */
  readonly url: string;
  /** Addresses of the gateways, in their turn; may change at any time. */
  targets: readonly string[];
  /** How many requests each target was given. */
  readonly given: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** @param added headers that each request gets on its way, replacing its own of these names */
export async function startRoundRobin(targets: readonly string[], added: Readonly<Record<string, string>> = {}): Promise<RoundRobin> {
  const given = new Map<string, number>();
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const bodyParts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => bodyParts.push(part));
    incoming.on('end', () => forward(incoming, Buffer.concat(bodyParts), outgoing, inTurn()));
  });
  // An idle connection must not end in the moment in which a client uses it again.
  server.keepAliveTimeout = 0;

  /** The targets of one request: the next one, and the following ones if it is dead. Concurrent requests have their own. */
  function inTurn(): readonly string[] {
    const first = turn++ % Math.max(1, proxy.targets.length);
    return [...proxy.targets.slice(first), ...proxy.targets.slice(0, first)];
  }

  function forward(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, [target, ...others]: readonly string[]): void {
    if (target === undefined) {
      outgoing.writeHead(502).end();
      return;
    }
    given.set(target, (given.get(target) ?? 0) + 1);
    const { method, headers } = incoming;
    const sent = { ...headers, ...added };
    const onward = request(new URL(target), { ...(method !== undefined && { method }), headers: sent, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
      response.on('aborted', () => outgoing.destroy());
    });
    outgoing.on('close', () => onward.destroy());
    onward.on('error', (error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else if ('code' in error && error.code === 'ECONNREFUSED') forward(incoming, body, outgoing, others);
      else outgoing.destroy();
    });
    onward.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: RoundRobin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    targets,
    given,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
