/** Tests null for absent members, as many clients write it, in both protocol versions. */
import { createFeatureRegistry, definePrompt, defineTool } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rawRequest, type RawRequest } from '../../support/gateway-2026/raw-request.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { initializeRequest, post, type RpcResponse, rpcSession } from '../../support/gateway/rpc.js';

const input = z.object({
  city: z.string(),
  unit: z.string().optional(),
  region: z.string().nullish(),
  stops: z.array(z.object({ name: z.string(), note: z.string().optional() })).default([]),
});
const shown = (args: unknown): string => JSON.stringify(args);
const features = createFeatureRegistry([
  defineTool({ name: 'inline', description: 'Shows its arguments', input, run: shown }),
  defineTool({ name: 'durable', description: 'Shows its arguments', input, task: 'optional', run: async (args) => shown(args) }),
  defineTool({ name: 'raw', description: 'Shows its arguments', input: { type: 'object' }, run: shown }),
  definePrompt({ name: 'ask', description: 'Asks', arguments: z.object({ city: z.string().optional() }), run: (args) => shown(args) }),
]);

const service = serviceForTests({ features });
let url: string;
beforeAll(async () => {
  url = await service.listen();
});

interface Asked extends RawRequest {
  readonly method: string;
}
type Answer = Pick<RpcResponse, 'result' | 'error'>;

const generations: Record<string, (asked: Asked) => Promise<Answer>> = {
  '2025-11-25': async ({ method, params, meta }) => {
    const session = await rpcSession(service.app);
    return session.call(method, { ...params, ...(meta !== undefined && { _meta: meta }) });
  },
  '2026-07-28': async ({ method, ...asked }) => (await rawRequest(url, method, asked)) as Answer,
};

const textOf = ({ result, error }: Answer): unknown => (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? error;

describe.each(Object.entries(generations))('in %s', (_generation, ask) => {
  it.each(['inline', 'durable'])('arguments that are null are absent where the schema refuses null: %s', async (name) => {
    const args = { city: 'Rome', unit: null, region: null, stops: [{ name: 'Pisa', note: null }] };
    const answer = await ask({ method: 'tools/call', params: { name, arguments: args } });
    expect(textOf(answer)).toBe(shown({ city: 'Rome', region: null, stops: [{ name: 'Pisa' }] }));
  });

  it.each(['inline', 'durable'])('one that is required is refused by its name: %s', async (name) => {
    const answer = await ask({ method: 'tools/call', params: { name, arguments: { city: null, unit: null } } });
    expect(textOf(answer)).toBe(`Invalid arguments for tool ${name}: city: Invalid input: expected string, received null`);
  });

  it('a tool that checks its arguments by itself gets them as they are', async () => {
    const answer = await ask({ method: 'tools/call', params: { name: 'raw', arguments: { city: null } } });
    expect(textOf(answer)).toBe('{"city":null}');
  });

  it('what a call leaves out may be null', async () => {
    const answer = await ask({ method: 'tools/call', params: { name: 'raw', arguments: null, task: null }, meta: { progressToken: null } });
    expect(textOf(answer)).toBe('{}');
  });

  it('a cursor that is null begins at the start', async () => {
    const { result } = await ask({ method: 'tools/list', params: { cursor: null } });
    expect(result).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'inline' })]) as unknown });
  });

  it('an argument of a prompt that is null is absent', async () => {
    const { result } = await ask({ method: 'prompts/get', params: { name: 'ask', arguments: { city: null } } });
    expect(result).toMatchObject({ messages: [{ content: { text: '{}' } }] });
  });
});

describe('a client that declares null', () => {
  it('opens a session without those capabilities', async () => {
    const request = initializeRequest('2025-11-25', { roots: null, sampling: null, elicitation: { form: null } });
    expect((await post(service.app, request)).json<RpcResponse>().result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it('is served without sessions too', async () => {
    const answer = await rawRequest(url, 'tools/list', {
      meta: { clientCapabilities: { sampling: null }, clientInfo: null, logLevel: null },
    });
    expect(answer).toMatchObject({ status: 200, result: { tools: expect.any(Array) as unknown[] } });
  });

  it('may send params and the id of a notification as null', async () => {
    const { headers } = await rpcSession(service.app);
    expect((await post(service.app, { jsonrpc: '2.0', id: 1, method: 'ping', params: null }, headers)).json()).toMatchObject({
      result: {},
    });
    const notification = { jsonrpc: '2.0', id: null, method: 'notifications/initialized', params: null };
    expect((await post(service.app, notification, headers)).statusCode).toBe(202);
  });
});
