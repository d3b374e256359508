/** Tests features that return or throw values that are not JSON, in both protocol versions. */
import { createFeatureRegistry, definePrompt, defineResource, defineResourceTemplate, defineTool } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { rpcSession } from '../../support/gateway/rpc.js';

const CODE = -31_000;

const circular: Record<string, unknown> = {};
circular['self'] = circular;

/** Values that are not JSON, and their messages. */
const UNSENDABLE = {
  bigint: { value: { count: 1n }, problemAt: (place: string) => `value${place}.count is a bigint` },
  // A place inside of it would say nothing.
  circle: {
    value: { circular },
    problemAt: (place: string) => `value${/^(\.\w+|\[0\])/.exec(place)?.[0] ?? '.circular'} is nested deeper than 500 levels, or circular`,
  },
};
type Which = keyof typeof UNSENDABLE;
const which = z.enum(['bigint', 'circle']);

const valueOf = (given: string): never => UNSENDABLE[given as Which].value as unknown as never;
const failWith = (given: string): never => {
  throw Object.assign(new Error('failed'), { code: CODE, data: valueOf(given) });
};

const input = z.object({ which });
const options = { description: 'For the test', input };
const features = createFeatureRegistry([
  defineTool({ ...options, name: 'return', run: (args) => valueOf(args.which) }),
  defineTool({ ...options, name: 'return-content', run: (args) => ({ content: [{ type: 'text', text: valueOf(args.which) }] }) }),
  defineTool({ ...options, name: 'return-structured', run: (args) => ({ content: [], structuredContent: valueOf(args.which) }) }),
  defineTool({ ...options, name: 'return-nothing', run: () => ({ content: [undefined] }) }),
  defineTool({ ...options, name: 'durable-return', task: 'optional', run: async (args) => valueOf(args.which) }),
  defineTool({
    ...options,
    name: 'durable-content',
    task: 'optional',
    run: async (args) => ({ content: [{ type: 'text', text: valueOf(args.which) }] }),
  }),
  defineTool({ ...options, name: 'unfit', output: z.object({ sum: z.number() }), run: () => ({ sum: 'many' }) as never }),
  defineTool({ ...options, name: 'throw', run: (args) => failWith(args.which) }),
  defineTool({
    ...options,
    name: 'prepare-throw',
    task: 'optional',
    prepare: (args) => failWith(args['which'] as Which),
    run: async () => 'ok',
  }),
  defineTool({
    ...options,
    name: 'prepare-return',
    task: 'optional',
    prepare: (args) => valueOf(args['which'] as Which),
    run: async () => 'ok',
  }),
  definePrompt({
    name: 'throw-prompt',
    description: 'Throws',
    arguments: z.object({ which }),
    complete: { which: (value) => failWith(value) },
    run: (args) => failWith(args.which),
  }),
  definePrompt({
    name: 'return-prompt',
    description: 'Returns',
    arguments: z.object({ which }),
    complete: { which: (value) => [valueOf(value)] },
    run: (args) => [{ role: 'user', content: { type: 'text', text: valueOf(args.which) } }],
  }),
  defineResourceTemplate({ uriTemplate: 'throw://{which}', name: 'throw-template', read: (variables) => failWith(variables.which) }),
  defineResourceTemplate({ uriTemplate: 'return://{which}', name: 'return-template', read: (variables) => valueOf(variables.which) }),
  defineResource({ uri: 'full://result', name: 'full', read: () => ({ contents: [{ uri: 'full://result', text: valueOf('bigint') }] }) }),
]);

let url: string;

const service = serviceForTests({ features });
beforeAll(async () => {
  url = await service.listen();
});

interface Answered {
  readonly result?: Record<string, unknown> | undefined;
  readonly error?: unknown;
}

const VERSIONS: Readonly<Record<string, (method: string, params: object) => Promise<Answered>>> = {
  '2025-11-25': async (method, params) => (await rpcSession(service.app)).call(method, { ...params }),
  '2026-07-28': (method, params) => modernClient({ url }, { extensions: {} }).call(method, params),
};

describe.each(Object.keys(VERSIONS))('in protocol version %s', (version) => {
  const ask = (method: string, params: object): Promise<Answered> => VERSIONS[version]?.(method, params) ?? Promise.reject(new Error());
  const tool = (name: string, args: object): Promise<Answered> => ask('tools/call', { name, arguments: args });

  describe.each(Object.keys(UNSENDABLE) as Which[])('%s', (given) => {
    const { problemAt } = UNSENDABLE[given];
    const ref = (name: string) => ({ ref: { type: 'ref/prompt', name }, argument: { name: 'which', value: given } });
    const notJson = (what: string, place: string) => `${what} returned what is not JSON: ${problemAt(place)}.`;

    it.each([
      ['return', ''],
      ['return-content', '.content[0].text'],
      ['return-structured', '.structuredContent'],
      ['durable-return', ''],
      ['durable-content', '.content[0].text'],
    ])('that the tool %s returns is a result that names the tool', async (name, place) => {
      expect((await tool(name, { which: given })).result).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: notJson(`Tool ${name}`, place) }],
      });
    });

    it.each<[string, string, object, string, string]>([
      [
        'a prompt',
        'prompts/get',
        { name: 'return-prompt', arguments: { which: given } },
        'Prompt return-prompt',
        '.messages[0].content.text',
      ],
      ['a resource', 'resources/read', { uri: `return://${given}` }, `Resource return://${given}`, ''],
      ['a completion', 'completion/complete', ref('return-prompt'), 'Prompt return-prompt', '[0]'],
      ['what prepares a task', 'tools/call', { name: 'prepare-return', arguments: { which: given } }, 'Tool prepare-return', ''],
    ])('that %s returns is an error that names it', async (_title, method, params, what, place) => {
      expect((await ask(method, params)).error).toEqual({ code: -32_603, message: notJson(what, place) });
    });

    it.each<[string, string, object, string]>([
      ['a tool', 'tools/call', { name: 'throw', arguments: { which: given } }, 'Tool throw'],
      ['a prompt', 'prompts/get', { name: 'throw-prompt', arguments: { which: given } }, 'Prompt throw-prompt'],
      ['a resource', 'resources/read', { uri: `throw://${given}` }, `Resource throw://${given}`],
      ['a completion', 'completion/complete', ref('throw-prompt'), 'Prompt throw-prompt'],
      ['what prepares a task', 'tools/call', { name: 'prepare-throw', arguments: { which: given } }, 'Tool prepare-throw'],
    ])('in the data of an error of %s is named in an error with the same code', async (_title, method, params, what) => {
      expect((await ask(method, params)).error).toEqual({
        code: CODE,
        message: `${what}: failed (the data of this error is not JSON: ${problemAt('')})`,
      });
    });
  });

  it('content that is no object is a result that names the tool', async () => {
    expect((await tool('return-nothing', { which: 'bigint' })).result).toMatchObject({
      isError: true,
      content: [{ text: 'Tool return-nothing returned content.0, which is no object.' }],
    });
  });

  it('a value that does not fit the output schema is a result that names the tool', async () => {
    expect((await tool('unfit', { which: 'bigint' })).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Tool unfit returned what does not fit its output schema: sum: /) as string }],
    });
  });

  it('a full result of a resource that is not JSON is an error that names it', async () => {
    expect((await ask('resources/read', { uri: 'full://result' })).error).toMatchObject({
      message: 'Resource full://result returned what is not JSON: value.contents[0].text.count is a bigint.',
    });
  });
});
