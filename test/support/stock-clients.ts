/** Provides stock clients of both generations of the SDK behind one interface, for behaviour that is the same in both protocol versions. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The protocol versions. */
export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;

/** A tool, as far as tests look at it. */
export interface ListedTool {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A connected client. */
export interface StockClient {
  tools(): Promise<readonly ListedTool[]>;
  call(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<{ readonly structuredContent?: unknown; readonly isError?: unknown; readonly content?: unknown }>;
  resources(): Promise<readonly { readonly uri: string }[]>;
  read(uri: string): Promise<{ readonly contents: readonly Readonly<Record<string, unknown>>[] }>;
  close(): Promise<void>;
}

/** The settings and the identity of a client. */
export interface StockClientOptions {
  readonly token?: string;
  readonly capabilities?: object;
}

/** @param version that the client speaks */
export async function connectStock(
  version: (typeof VERSIONS)[number],
  url: string | URL,
  { token, capabilities = {} }: StockClientOptions = {},
): Promise<StockClient> {
  const info = { name: 'test', version: '1' };
  const options = token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  if (version === '2025-11-25') {
    const client = new Client(info, { capabilities });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
    return faceOf(client);
  }
  const client = new ModernClient(info, { capabilities, versionNegotiation: { mode: { pin: version } } });
  await client.connect(new ModernTransport(new URL(url), options));
  return faceOf(client);
}

function faceOf(client: Client | ModernClient): StockClient {
  return {
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as Awaited<ReturnType<StockClient['call']>>,
    resources: async () => (await client.listResources()).resources,
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}
