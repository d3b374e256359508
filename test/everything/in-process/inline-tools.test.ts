/** Tests the tools that answer within the request, with the SDK's own client. */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { everything } from '@longhaul/everything';
import { readSettings } from '@longhaul/everything/settings';
import { createFeatureRegistry, type FeatureRegistry } from '@longhaul/mcp-features';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  type ClientCapabilities,
  ListRootsRequestSchema,
  ResourceListChangedNotificationSchema,
  type Root,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { textsOf } from '../../support/answering-clients.js';
import { gatewaysForTests, type TestGateway } from '../../support/gateway/gateways.js';
import { waitUntil } from '../../support/wait-until.js';

const featuresWith = (env: NodeJS.ProcessEnv): FeatureRegistry => createFeatureRegistry(everything(readSettings(env)));

/** Needs a larger body than the default: a file comes in its URL. */
const gateways = gatewaysForTests({ bodyLimitBytes: 16 * 1024 * 1024 }, { features: featuresWith({}) });
const others: TestGateway[] = [];
const clients: Client[] = [];
let files: Server;

beforeAll(async () => {
  files = createServer((_request, response) => response.end('from a server'));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const other of others.splice(0)) {
    await other.app.close();
    await other.store.close();
  }
});
afterAll(() => new Promise((resolve) => files.close(resolve)));

async function clientOf({ url }: TestGateway, capabilities: ClientCapabilities = {}, prepare?: (client: Client) => void): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  prepare?.(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  clients.push(client);
  return client;
}

async function gatewayWith(env: NodeJS.ProcessEnv): Promise<TestGateway> {
  const gateway = await gateways.another(featuresWith(env));
  others.push(gateway);
  return gateway;
}

const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
const fileUrl = (): string => `http://127.0.0.1:${(files.address() as AddressInfo).port}/`;

describe('a compressed file', () => {
  it('is a resource of its session alone, at every gateway', async () => {
    const notifications: string[] = [];
    const client = await clientOf(gateways.first, {}, (client) => {
      client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => void notifications.push(method));
    });
    const result = await call(client, 'gzip-file-as-resource', { name: 'a b.gz', data: 'data:,hello' });
    const uri = 'demo://resource/session/a%20b.gz';
    const resource = { uri, name: 'a b.gz', mimeType: 'application/gzip' };
    expect(result.content).toEqual([{ type: 'resource_link', ...resource }]);
    expect((await client.listResources()).resources).toContainEqual(expect.objectContaining(resource));
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).not.toContain(
      'demo://resource/session/{name}',
    );
    await waitUntil(() => notifications.length > 0, { description: 'the client hears of the new resource' });

    const { sessionId = '' } = client.transport as StreamableHTTPClientTransport;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
      'mcp-protocol-version': '2025-11-25',
    };
    const answer = await (await fetch(gateways.second.url, { method: 'POST', headers, body })).text();
    const blob = /"blob":"([^"]+)"/.exec(answer)?.[1] ?? '';
    expect(gunzipSync(Buffer.from(blob, 'base64')).toString()).toBe('hello');

    const stranger = await clientOf(gateways.first);
    await expect(stranger.readResource({ uri })).rejects.toThrow();
    expect((await stranger.listResources()).resources.map((listed) => listed.uri)).not.toContain(uri);
  });

  it('of nearly 8 MiB, which is the limit, is read in one piece', async () => {
    const client = await clientOf(gateways.first);
    const large = randomBytes(8 * 1024 * 1024 - 4_096); // Compression makes it a little larger.
    const result = await call(client, 'gzip-file-as-resource', { name: 'large', data: `data:;base64,${large.toString('base64')}` });
    expect(result.isError).toBeUndefined();
    const [contents] = (await client.readResource({ uri: 'demo://resource/session/large' })).contents;
    const blob = contents !== undefined && 'blob' in contents ? contents.blob : '';
    expect(gunzipSync(Buffer.from(blob, 'base64')).equals(large)).toBe(true);
  });

  it('comes from a private address only where that is allowed', async () => {
    const args = { data: fileUrl(), outputType: 'resource' };
    const refused = await call(await clientOf(gateways.first), 'gzip-file-as-resource', args);
    expect(refused.isError).toBe(true);
    expect(textsOf(refused)[0]).toContain('127.0.0.1 is not at a public address');
    const open = await gatewayWith({ LONGHAUL_GZIP_ALLOW_PRIVATE: '1' });
    expect(textsOf(await call(await clientOf(open), 'gzip-file-as-resource', args))).toEqual(['resource']);
    const narrow = await gatewayWith({ LONGHAUL_GZIP_ALLOW_PRIVATE: '1', LONGHAUL_GZIP_ALLOWED_DOMAINS: 'a.example' });
    expect(textsOf(await call(await clientOf(narrow), 'gzip-file-as-resource', args))[0]).toContain(
      'Domain 127.0.0.1 is not in the allowed domains list.',
    );
  });
});

describe('the environment', () => {
  it('is shown only by a gateway with the setting for it', async () => {
    const silent = await call(await clientOf(gateways.first), 'get-env').catch((error: unknown) => String(error));
    expect(JSON.stringify(silent)).not.toContain('LONGHAUL_');
    vi.stubEnv('LONGHAUL_SECRET', 'sixteen characters');
    onTestFinished(() => void vi.unstubAllEnvs());
    const open = await gatewayWith({ LONGHAUL_EXPOSE_ENV: '1' });
    const client = await clientOf(open);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get-env');
    const [text = ''] = textsOf(await call(client, 'get-env'));
    expect(JSON.parse(text)).toMatchObject({ LONGHAUL_SECRET: '***' });
    expect(text).not.toContain('sixteen characters');
  });
});

describe('the roots of a client', () => {
  it('are asked for on each call', async () => {
    const roots: Root[] = [];
    const client = await clientOf(gateways.first, { roots: {} }, (client) => {
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
    });
    expect(textsOf(await call(client, 'get-roots-list'))[0]).toContain('no roots are currently configured');
    roots.push({ uri: 'file:///a', name: 'A' });
    expect(textsOf(await call(client, 'get-roots-list'))[0]).toContain('1. A\n   URI: file:///a');
  });
});
