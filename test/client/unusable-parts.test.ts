/** Tests servers with one invalid part: the rest is used, and the part is named. */
import { InMemoryTransport, type JSONRPCRequest } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Target } from '@longhaul/client';
import { Clients } from './support/clients.js';
import { methods, type ScriptedServer, startScriptedServer } from './support/scripted-server.js';

const clients = new Clients();
const servers: ScriptedServer[] = [];
afterEach(async () => {
  await clients.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Json = Record<string, unknown>;

const cacheable = { ttlMs: 0, cacheScope: 'private' };
const capabilities = { tools: {}, prompts: {}, resources: {} };
const results: Readonly<Record<string, Json>> = {
  'tools/list': {
    ...cacheable,
    tools: [
      { name: 'good', inputSchema: { type: 'object' } },
      { name: 'untyped', inputSchema: { properties: {} } },
      { name: 'bad', inputSchema: 'none' },
      { inputSchema: { type: 'object' } },
    ],
  },
  'prompts/list': { ...cacheable, prompts: [{ name: 'good' }, { name: 'bad', arguments: 'none' }, null] },
  'resources/list': {
    ...cacheable,
    resources: [
      { uri: 'a:good', name: 'good' },
      { uri: 'a:bad', name: 7 },
    ],
  },
  'resources/templates/list': { ...cacheable, resourceTemplates: [{ name: 'bad' }, { uriTemplate: 'a:{b}', name: 'good' }] },
  'resources/read': { ...cacheable, contents: [{ uri: 'a:good', text: 'good' }, { uri: 'a:good', blob: 'AAAA' }, { text: 'bad' }] },
  'tools/call': {
    content: [
      { type: 'text', text: 'good' },
      { type: 'hologram', data: 'AAAA' },
      { type: 'image', data: 7 },
    ],
  },
};
const greetings: Readonly<Record<string, Json>> = {
  '2025-11-25': { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } },
  '2026-07-28': { supportedVersions: ['2026-07-28'], capabilities, ...cacheable },
};
const GREETING: Readonly<Record<string, string>> = { '2025-11-25': 'initialize', '2026-07-28': 'server/discover' };

function resultOf(generation: string, method: string): Json | undefined {
  const result = method === GREETING[generation] ? greetings[generation] : results[method];
  return result && { resultType: 'complete', ...result };
}

async function httpServer(generation: string): Promise<string> {
  const names = [...Object.values(GREETING), ...Object.keys(results)];
  const server = await startScriptedServer(
    methods(
      Object.fromEntries(
        names.map((method) => [
          method,
          (exchange) => {
            const result = resultOf(generation, method);
            if (result === undefined) exchange.status(400);
            else exchange.result(result);
          },
        ]),
      ),
    ),
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
      const result = resultOf(generation, method);
      const answer = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result: structuredClone(result) };
      void server.send({ jsonrpc: '2.0', id, ...answer });
    };
    void server.start();
    return client;
  };
}

describe.each(['2025-11-25', '2026-07-28'])('in %s', (generation) => {
  it.each<[string, () => Target | Promise<Target>]>([
    ['over HTTP', () => httpServer(generation)],
    ['on one channel', () => channel(generation)],
  ])('what is valid is used, and the rest is named, %s', async (_where, serve) => {
    const warnings: string[] = [];
    const connected = await clients.connect(await serve(), { onWarning: (line) => warnings.push(line) });
    const { client } = connected;
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

    expect(names((await client.listTools()).tools)).toEqual(['good', 'untyped']);
    expect(names((await client.listPrompts()).prompts)).toEqual(['good']);
    expect(names((await client.listResources()).resources)).toEqual(['good']);
    expect(names((await client.listResourceTemplates()).resourceTemplates)).toEqual(['good']);
    expect((await client.readResource({ uri: 'a:good' })).contents).toHaveLength(2);
    expect((await connected.callTool('good')).content).toEqual([{ type: 'text', text: 'good' }]);
    const subjects = warnings.map((line) => /^The (.*?) is left out: ./.exec(line)?.[1]);
    // Over HTTP, revision 2026-07-28 has the tools listed once more before a call.
    expect(new Set(subjects)).toEqual(
      new Set([
        'tool "bad"',
        'tool 4',
        'prompt "bad"',
        'prompt 3',
        'resource "a:bad"',
        'resource template "bad"',
        'content of a resource 3',
        'block of content 2 of the type "hologram"',
        'block of content 3 of the type "image"',
      ]),
    );
  });
});
