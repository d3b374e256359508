/** The stock client of the SDK, connected to a gateway. */
import { registerHooks } from 'node:module';
import type { Client, ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** A connected client and what it sends on. */
export interface ConnectedClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

export async function connectClient(
  url: string,
  capabilities: NonNullable<ClientOptions['capabilities']> = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<ConnectedClient> {
  const sdk = await loadSdk();
  const client = new sdk.Client({ name: 'stock-client', version: '1.0.0' }, { capabilities });
  prepare(client);
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return { client, transport };
}

/**
 * Tests run with the export condition `source`, under which a dependency of the SDK publishes
 * TypeScript that Node does not run. It is given what everybody else gets.
 */
async function loadSdk() {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: specifier.startsWith('eventsource') ? ['node', 'import'] : context.conditions }),
  });
  try {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return { Client, StreamableHTTPClientTransport };
  } finally {
    hooks.deregister();
  }
}
