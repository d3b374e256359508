/** The server that the tools of the suite speak to: it counts how often a work has begun, and does what else they ask for. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running server. */
export interface Control {
  readonly url: string;
  /** How often the work for somebody has begun. */
  readonly begun: ReadonlyMap<string, number>;
  /** Resolves when the work for somebody has begun, and this is recorded. */
  untilBegun(who: string): Promise<void>;
  close(): void;
}

/** @param kill kills the gateways */
export async function startControl(kill: () => Promise<void> = async () => undefined): Promise<Control> {
  const begun = new Map<string, number>();
  const beginnings = new Map<string, PromiseWithResolvers<void>>();
  function beginningOf(name: string): PromiseWithResolvers<void> {
    const found = beginnings.get(name) ?? Promise.withResolvers<void>();
    beginnings.set(name, found);
    return found;
  }
  async function act(path: string): Promise<void> {
    const [, what, who = ''] = path.split('/');
    if (what === 'kill') return kill();
    const name = decodeURIComponent(who);
    if (what === 'began') begun.set(name, (begun.get(name) ?? 0) + 1);
    else if (what === 'recorded') beginningOf(name).resolve();
    else throw new Error(`The suite does not know "${path}".`);
  }
  const server = createServer((request, response) => {
    act(request.url ?? '').then(
      () => response.writeHead(204).end(),
      (error: unknown) => {
        process.stdout.write(`${String(error)}\n`);
        response.writeHead(500).end();
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    begun,
    untilBegun: (who) => beginningOf(who).promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
