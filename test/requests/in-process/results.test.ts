/** Tests the members of every result of revision 2026-07-28: its type, its server, and how long it may be kept. */
import { createFeatureRegistry, definePrompt, defineResource, defineResourceTemplate, defineTool } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serviceForTests, startService } from '../../support/gateway/gateway.js';
import { rawRequest, type RawRequest } from '../../support/gateway-2026/raw-request.js';

const ASKED = { clientCapabilities: { elicitation: {} } };
const TASKS = { clientCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
const NUMBERS = ['one', 'two', 'three', 'four', 'five'];

const tools = NUMBERS.map((name) => defineTool({ name, description: name, input: z.object({}), run: () => name }));
const features = createFeatureRegistry([
  ...tools,
  defineTool({ name: 'later', description: 'Answers as a task', input: z.object({}), task: 'optional', run: async () => 'done' }),
  defineTool({ name: 'needy', description: 'Needs a user', input: z.object({}), needs: ['elicitation.form'], run: () => 'ok' }),
  ...NUMBERS.map((name) => definePrompt({ name, description: name, complete: {}, run: () => name })),
  definePrompt({
    name: 'greeting',
    description: 'Greets',
    arguments: z.object({ who: z.string(), where: z.string().optional() }),
    complete: { who: (typed, { where }) => Array.from({ length: 150 }, (_, index) => `${typed}${index}${where ?? ''}`) },
    run: ({ who }) => who,
  }),
  ...NUMBERS.map((name) => defineResource({ uri: `test://${name}`, name, read: () => name })),
  defineResource({
    uri: 'test://asked',
    name: 'asked',
    read: async (_uri, context) => JSON.stringify(await context.elicit(z.object({ name: z.string() }), 'Your name?')),
  }),
  ...NUMBERS.map((name) => defineResourceTemplate({ uriTemplate: `test://${name}/{id}`, name, read: ({ id }) => id })),
]);

let url: string;

const service = serviceForTests({ features, settings: { pageSize: 2, instructions: 'Count.' } });
beforeAll(async () => {
  url = await service.listen();
});

const result = async (method: string, request?: RawRequest) => (await rawRequest(url, method, request)).result ?? {};
const serverInfo = { name: 'longhaul', title: 'Longhaul', version: expect.stringMatching(/^\d+\.\d+\.\d+/) };

describe('every result', () => {
  it.each<[string, RawRequest, string]>([
    ['server/discover', {}, 'complete'],
    ['tools/list', {}, 'complete'],
    ['prompts/list', {}, 'complete'],
    ['resources/list', {}, 'complete'],
    ['resources/templates/list', {}, 'complete'],
    ['resources/read', { params: { uri: 'test://one' } }, 'complete'],
    ['resources/read', { params: { uri: 'test://asked' }, meta: ASKED }, 'input_required'],
    ['prompts/get', { params: { name: 'one' } }, 'complete'],
    [
      'completion/complete',
      { params: { ref: { type: 'ref/prompt', name: 'greeting' }, argument: { name: 'who', value: '' } } },
      'complete',
    ],
    ['tools/call', { params: { name: 'one' } }, 'complete'],
    ['tools/call', { params: { name: 'later' } }, 'complete'],
    ['tools/call', { params: { name: 'later' }, meta: TASKS }, 'task'],
    ['subscriptions/listen', { params: { notifications: {} } }, 'complete'],
  ])('of %s (%j) has the type %s, and says whose it is', async (method, request, resultType) => {
    expect(await result(method, request)).toMatchObject({ resultType, _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } });
  });
});

describe('server/discover', () => {
  it('says what is served, truthfully', async () => {
    expect(await result('server/discover')).toMatchObject({
      supportedVersions: ['2026-07-28'],
      instructions: 'Count.',
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    });
    expect((await result('server/discover'))['capabilities']).not.toHaveProperty('tasks');
  });
});

describe('caching', () => {
  it.each<[string, RawRequest, number]>([
    ['server/discover', {}, 60_000],
    ['tools/list', {}, 60_000],
    ['prompts/list', {}, 60_000],
    ['resources/templates/list', {}, 60_000],
    ['resources/list', {}, 0],
    ['resources/read', { params: { uri: 'test://one' } }, 0],
  ])('of %s is left to each client, for its time', async (method, request, ttlMs) => {
    expect(await result(method, request)).toMatchObject({ ttlMs, cacheScope: 'private' });
  });

  it('is the same for all pages of a list', async () => {
    const { nextCursor: cursor } = await result('tools/list');

    expect(await result('tools/list', { params: { cursor } })).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
  });

  it('is no matter for a result that asks for more', async () => {
    const asked = await result('resources/read', { params: { uri: 'test://asked' }, meta: ASKED });

    expect(asked).not.toHaveProperty('ttlMs');
    expect(asked).not.toHaveProperty('cacheScope');
  });
});

describe('pages', () => {
  const all = async (method: string, member: string): Promise<string[]> => {
    const names: string[] = [];
    let cursor: unknown;
    do {
      const page = await result(method, { params: { ...(cursor !== undefined && { cursor }) }, meta: TASKS });
      names.push(...(page[member] as { name: string }[]).map(({ name }) => name));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return names;
  };

  it.each([
    ['tools/list', 'tools', [...NUMBERS, 'later']],
    ['prompts/list', 'prompts', [...NUMBERS, 'greeting']],
    ['resources/list', 'resources', [...NUMBERS, 'asked']],
    ['resources/templates/list', 'resourceTemplates', NUMBERS],
  ])('of %s make up the whole list, in the same order each time', async (method, member, names) => {
    expect(await all(method, member)).toEqual(names);
    expect(await all(method, member)).toEqual(names);
  });
});

describe('a tool with the name of one of those for clients without the extension', () => {
  it('is listed and called in its place', async () => {
    const input = z.object({});
    const own = await startService({
      features: createFeatureRegistry([
        defineTool({ name: 'later', description: 'Later', input, task: 'optional', run: async () => 'done' }),
        defineTool({ name: 'task_status', description: 'Mine', input, run: () => 'mine' }),
      ]),
    });
    const address = await own.listen();
    const listed = (await rawRequest(address, 'tools/list')).result?.['tools'] as { name: string }[];

    expect(listed.map(({ name }) => name)).toEqual(['later', 'task_status', 'task_result', 'task_cancel', 'task_list', 'task_answer']);
    expect((await rawRequest(address, 'tools/call', { params: { name: 'task_status' } })).result).toMatchObject({
      content: [{ text: 'mine' }],
    });
    await own.close();
  });
});

describe('completions', () => {
  const complete = async (argument: object, given?: object) =>
    (
      await result('completion/complete', {
        params: { ref: { type: 'ref/prompt', name: 'greeting' }, argument, ...(given && { context: { arguments: given } }) },
      })
    )['completion'] as { values: string[]; total: number; hasMore: boolean };

  it('are at most a hundred, with how many there are', async () => {
    const { values, total, hasMore } = await complete({ name: 'who', value: 'x' });

    expect([values.length, values[0], total, hasMore]).toEqual([100, 'x0', 150, true]);
  });

  it('know the other arguments', async () => {
    expect((await complete({ name: 'who', value: 'x' }, { where: '!' })).values[0]).toBe('x0!');
  });

  it('are none for an argument that nothing completes', async () => {
    expect(await complete({ name: 'where', value: 'x' })).toEqual({ values: [], total: 0, hasMore: false });
  });
});
