/** Tests attacks that fit into no other file, by name: docs/internals/attacks.md lists all attacks. */
import { createFeatureRegistry, defineResourceTemplate, defineTool } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { post, rpcSession, type RpcResponse } from '../../support/gateway/rpc.js';

const CLIENTS = 50;
/** The limit for each request of this size; a backtracking pattern would take minutes for it. */

const say = defineTool({
  name: 'say',
  description: 'Says it back, after others had their turn',
  input: z.object({ text: z.string() }),
  run: async ({ text }) => {
    await new Promise(setImmediate);
    return text;
  },
});
const keep = defineTool({
  name: 'keep',
  description: 'Says it back as a task',
  input: z.object({ text: z.string() }),
  task: 'optional',
  run: ({ text }, { step }) => step('keep', () => text),
});
const template = defineResourceTemplate({ uriTemplate: 'a://{x}/{y}/{z}{?q,r}', name: 'a', read: ({ x }) => x });

const gateways = gatewaysForTests({}, { features: createFeatureRegistry([say, keep, template]) });

describe('equal JSON-RPC ids', () => {
  it.each(['say', 'keep'])(`of ${CLIENTS} clients on two gateways give each the answer to its own request: %s`, async (name) => {
    const { first, second } = gateways;
    const at = (n: number) => (n % 2 === 0 ? first : second);
    const sessions = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => rpcSession(at(n).app)));
    const answers = await Promise.all(
      sessions.map(async ({ headers }, n) => {
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { text: `of client ${n}.` } } };
        const response = await post(at(n + 1).app, call, headers);
        return response.body;
      }),
    );
    for (const [n, answer] of answers.entries()) {
      expect(answer).toContain(`of client ${n}.`);
      expect(answer.match(/of client \d+\./g)).toHaveLength(1);
    }
  });
});

describe('a message with keys in another case', () => {
  it.each([
    { JSONRPC: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1, Method: 'ping' },
    { jsonrpc: '2.0', ID: 1, Method: 'ping', METHOD: 'tools/list' },
  ])('is none: %j', async (message) => {
    const session = await rpcSession(gateways.first.app);
    const response = await post(gateways.first.app, message, session.headers);
    expect(response.statusCode).toBe(400);
  });

  it('has no params that a method would read', async () => {
    const session = await rpcSession(gateways.first.app);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', Params: { name: 'say', arguments: { text: 'x' } } };
    const response = await post(gateways.first.app, call, session.headers);
    expect(response.json<RpcResponse>().error).toMatchObject({ code: -32602 });
  });
});

describe('a forwarded host', () => {
  it('opens nothing to a host that is not served', async () => {
    const session = await rpcSession(gateways.first.app);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const spoofed = { host: 'evil.example', 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };
    expect((await post(gateways.first.app, ping, { ...session.headers, ...spoofed })).statusCode).toBe(403);
    const named = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const served = await post(gateways.first.app, ping, { ...session.headers, ...named });
    expect(served.statusCode).toBe(200);
    expect(JSON.stringify([served.headers, served.body])).not.toContain('evil');
  });
});

describe('a text that is made to be slow', () => {
  it.each([
    ['of slashes', `a://${'/'.repeat(2_000)}`],
    ['of variables', `a://${'x/'.repeat(1_000)}`],
    ['of a query', `a://x/y/z?${'q=&'.repeat(600)}`],
    ['of escapes', `a://x/y/${'%25'.repeat(600)}%`],
  ])('is matched with a URI template: %s', async (_what, uri) => {
    const session = await rpcSession(gateways.first.app);
    const answer = await post(gateways.first.app, { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }, session.headers);
    expect(answer.statusCode).toBe(200);
  });

  it('is refused as a cursor', async () => {
    const session = await rpcSession(gateways.first.app);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'A'.repeat(50_000) } };
    const { error } = (await post(gateways.first.app, list, session.headers)).json<RpcResponse>();
    expect(error?.message).toMatch(/params\.cursor/);
    expect(JSON.stringify(error).length).toBeLessThan(1_000);
  });
});
