/** Tests that megabytes from a client do not come back as megabytes, except from features with that purpose. */
import { everything } from '@longhaul/everything';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import type { Prompt, Tool } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { HEADERS, openSession } from '../../support/gateway/rpc.js';

const LONG = 'x'.repeat(3_500_000);
const MOST_BYTES = 70_000;

/** They return their input, like the reference server's tools. */
const ECHOES = new Set(['echo', 'args-prompt', 'completable-prompt']);

/** Tools that would otherwise do something far away. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { 'gzip-file-as-resource': { data: 'data:,x' } };

const service = serviceForTests({
  features: createFeatureRegistry([...everything({ researchStageMs: 0 })]),
  settings: { bodyLimitBytes: 8 * 1024 * 1024 },
});
let sessionId: string;

beforeAll(async () => {
  sessionId = await openSession(service.app, undefined, {});
});

async function answer(message: object): Promise<string> {
  const headers = { ...HEADERS, 'mcp-session-id': sessionId };
  const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return (await service.app.inject({ method: 'POST', url: '/mcp', headers, payload })).body;
}

async function lists<T>(method: string, member: string): Promise<T[]> {
  return (JSON.parse(await answer({ method })) as { result: Record<string, T[]> }).result[member] ?? [];
}

/** The arguments with a long text in the place of each, and under a long name. */
function longArguments(names: readonly string[], example: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return [...names.map((name) => ({ ...example, [name]: LONG })), { ...example, [LONG]: 'x' }];
}

async function tooLong(what: string, messages: readonly object[]): Promise<string[]> {
  const found: string[] = [];
  for (const [index, message] of messages.entries()) {
    const { length } = await answer(message);
    if (length > MOST_BYTES) found.push(`${what} ${index}: ${length}`);
  }
  return found;
}

describe('an answer is short', () => {
  it('of every prompt, also to long arguments', async () => {
    const prompts = (await lists<Prompt>('prompts/list', 'prompts')).filter(({ name }) => !ECHOES.has(name));
    expect(prompts).not.toEqual([]);
    for (const { name, arguments: args = [] } of prompts) {
      const example = Object.fromEntries(args.map((argument) => [argument.name, argument.name === 'resourceType' ? 'Text' : '1']));
      const all = longArguments(Object.keys(example), example);
      expect(
        await tooLong(
          name,
          all.map((given) => ({ method: 'prompts/get', params: { name, arguments: given } })),
        ),
      ).toEqual([]);
    }
  });

  // Those that ask something are not listed, because the client can answer nothing.
  it('of every tool, also to long arguments', async () => {
    const tools = (await lists<Tool>('tools/list', 'tools')).filter(({ name, execution }) => !ECHOES.has(name) && execution === undefined);
    expect(tools.length).toBeGreaterThan(8);
    for (const { name, inputSchema } of tools) {
      const all = longArguments(Object.keys(inputSchema.properties ?? {}), EXAMPLES[name] ?? {});
      const messages = all.map((given) => ({ method: 'tools/call', params: { name, arguments: given } }));
      expect(await tooLong(name, messages)).toEqual([]);
    }
  });

  it.each([
    { method: LONG },
    { method: 'ping', jsonrpc: LONG },
    { method: 'ping', [LONG]: LONG },
    { method: 'tools/call', params: { [LONG]: 1 } },
    { method: 'tools/call', params: { name: 'echo', arguments: LONG } },
    { method: 'tools/call', params: { name: 'echo', task: LONG } },
    { method: 'tools/call', params: { name: 'echo', _meta: { [LONG]: 1 } } },
    { method: 'prompts/get', params: { name: 'args-prompt', arguments: { [LONG]: 1 } } },
    { method: 'prompts/get', params: { name: 'args-prompt', arguments: { city: { [LONG]: 1 } } } },
    { method: 'completion/complete', params: { ref: { type: LONG }, argument: { name: 'x', value: 'x' } } },
    { method: 'logging/setLevel', params: { level: 'x'.repeat(256) } },
    { method: 'initialize', params: { protocolVersion: LONG, capabilities: {}, clientInfo: { name: 'x', version: '1' } } },
    { method: 'tasks/get', params: { taskId: { [LONG]: 1 } } },
  ])('of a request with a long field %#', async (message) => {
    expect((await answer(message)).length).toBeLessThan(MOST_BYTES);
  });
});
