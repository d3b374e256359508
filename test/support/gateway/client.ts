/** Connects the stock client of the SDK to a gateway. */
import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

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
  const client = new Client({ name: 'stock-client', version: '1.0.0' }, { capabilities });
  prepare(client);
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return { client, transport };
}
