/** Tests servers that write null for missing members and for empty lists. */
import { InMemoryTransport, type JSONRPCMessage, type JSONRPCRequest } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Target } from '@longhaul/client';
import { Clients, textOf } from './support/clients.js';
import { type Exchange, methods, type ScriptedServer, startScriptedServer } from './support/scripted-server.js';

const clients = new Clients();
const servers: ScriptedServer[] = [];
afterEach(async () => {
  await clients.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Json = Record<string, unknown>;
const CHANGED = 'notifications/resources/list_changed';
const nothing = { _meta: null, nextCursor: null, ttlMs: 0, cacheScope: 'private' };
const work = {
  name: 'work',
  title: null,
  description: null,
  annotations: null,
  outputSchema: null,
  icons: null,
  inputSchema: { type: 'object', properties: { a: { type: 'string', description: null, default: null } }, required: null },
};

/** The answers of both kinds of server. */
const results: Readonly<Record<string, Json>> = {
  'tools/list': { ...nothing, tools: [work] },
  'prompts/list': { ...nothing, prompts: null },
  'resources/list': { ...nothing, resources: null },
  'tools/call': {
    ...nothing,
    content: [{ type: 'text', text: 'done', annotations: null, _meta: null }],
    structuredContent: null,
    isError: null,
  },
  'prompts/get': { ...nothing, description: null, messages: null },
};
const capabilities = { tools: { listChanged: null }, prompts: {}, resources: {}, completions: null, logging: null, experimental: null };
const greetings: Readonly<Record<string, Json>> = {
  '2025-11-25': {
    protocolVersion: '2025-11-25',
    capabilities: { ...capabilities, tasks: null },
    serverInfo: { name: 's', version: '1', title: null },
    instructions: null,
  },
  '2026-07-28': {
    supportedVersions: ['2026-07-28'],
    capabilities: { ...capabilities, extensions: null },
    ttlMs: 0,
    cacheScope: 'private',
    instructions: null,
  },
};

/** Over HTTP, in one JSON object or on a stream of events. */
async function httpServer(generation: string, isStream: boolean): Promise<string> {
  const answer = (result: Json) => (exchange: Exchange) => {
    const said = { resultType: 'complete', ...result };
    if (!isStream) return exchange.result(said);
    exchange.stream({ method: CHANGED, params: null }).result(said);
  };
  const greet = ({ result, status }: Exchange, of: string) =>
    of === generation ? result({ resultType: 'complete', ...greetings[of] }) : status(400);
  const server = await startScriptedServer(
    methods({
      'server/discover': (exchange) => greet(exchange, '2026-07-28'),
      initialize: (exchange) => greet(exchange, '2025-11-25'),
      ...Object.fromEntries(Object.entries(results).map(([method, result]) => [method, answer(result)])),
    }),
  );
  servers.push(server);
  return server.url;
}

/** Over one channel, as stdio is. */
function channel(generation: string) {
  return (): InMemoryTransport => {
    const [client, server] = InMemoryTransport.createLinkedPair();
    server.onmessage = (message) => {
      const { id, method } = message as JSONRPCRequest;
      if (id === undefined) return;
      const isGreeting = method === (generation === '2025-11-25' ? 'initialize' : 'server/discover');
      const result = isGreeting ? greetings[generation] : results[method];
      const answer =
        result === undefined
          ? { error: { code: -32_601, message: 'Method not found', data: null }, result: null }
          : { result: { resultType: 'complete', ...result }, error: null };
      const messages = [
        { method: CHANGED, params: null },
        { id, ...answer },
      ];
      for (const sent of messages) void server.send({ jsonrpc: '2.0', ...sent } as unknown as JSONRPCMessage);
    };
    void server.start();
    return client;
  };
}

describe.each(['2025-11-25', '2026-07-28'])('in %s', (generation) => {
  it.each<[string, () => Target | Promise<Target>]>([
    ['as JSON', () => httpServer(generation, false)],
    ['on a stream of events', () => httpServer(generation, true)],
    ['on one channel', () => channel(generation)],
  ])('nulls are absent %s', async (title, serve) => {
    const connected = await clients.connect(await serve());
    const { client } = connected;
    let changes = 0;
    client.setNotificationHandler(CHANGED, () => void changes++);

    expect(client.getServerCapabilities()).not.toHaveProperty('logging');
    const { tools } = await client.listTools();
    expect(tools).toEqual([{ name: 'work', inputSchema: { type: 'object', properties: { a: { type: 'string', default: null } } } }]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.getPrompt({ name: 'a' })).messages).toEqual([]);
    expect(textOf(await connected.callTool('work'))).toBe('done');
    expect(changes > 0).toBe(title !== 'as JSON');
  });
});
