/** Tests the errors of revision 2026-07-28: each with its HTTP status, its code, its data and the id of its request. */
import { createFeatureRegistry, definePrompt, defineResource, defineTool, ProtocolError } from '@longhaul/mcp-features';
import type { TaskId } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { ask, KNOWS_TASKS, type ModernAnswer, modernHeaders, send, withEnvelope } from '../../support/gateway-2026/rpc.js';

const NO_TASK = '00000000-0000-4000-8000-000000000000';

const features = createFeatureRegistry([
  defineTool({ name: 'echo', description: 'Answers', input: z.object({ message: z.string() }), run: ({ message }) => message }),
  defineTool({
    name: 'weather',
    description: 'Has an argument that is sent in a header as well',
    input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    run: () => 'fine',
  }),
  defineTool({ name: 'sampler', description: 'Needs a model', input: z.object({}), needs: ['sampling'], run: () => 'sampled' }),
  defineTool({
    name: 'asker',
    description: 'Needs a user',
    input: z.object({}),
    needs: ['elicitation.url', 'elicitation.form'],
    run: () => 'asked',
  }),
  defineTool({ name: 'later', description: 'Is always a task', input: z.object({}), task: 'required', run: () => Promise.resolve('done') }),
  defineTool({
    name: 'refuses',
    description: 'Fails with an error of its own',
    input: z.object({}),
    run: () => {
      throw new ProtocolError(-31_000, 'refused', { why: 'test' });
    },
  }),
  definePrompt({
    name: 'greeting',
    description: 'Greets',
    arguments: z.object({ who: z.string() }),
    complete: { who: () => ['Ann'] },
    run: ({ who }) => `Greet ${who}.`,
  }),
  defineResource({ uri: 'test://text', name: 'text', description: 'A text', read: () => 'text' }),
]);

/** How far the clock of the stores is ahead, milliseconds. */
let aheadMs = 0;
const service = serviceForTests({ features, clock: () => Date.now() + aheadMs });

const echo = { name: 'echo', arguments: { message: 'hello' } };
const request = (method: string, params: object, id: string | number = 7): object => ({ jsonrpc: '2.0', id, method, params });

function expectError({ status, body }: ModernAnswer, expected: { status: number; code: number; data?: unknown; id?: unknown }): void {
  const { id = 7, code, data } = expected;
  expect({ status, id: body.id, code: body.error?.code }).toEqual({ status: expected.status, id, code });
  expect(body.error?.message).toMatch(/./);
  if (data !== undefined) expect(body.error?.data).toEqual(data);
}

describe('the envelope of a request', () => {
  const full = withEnvelope(echo)['_meta'] as Record<string, unknown>;
  const without = (name: string): object => ({
    ...echo,
    _meta: Object.fromEntries(Object.entries(full).filter(([key]) => key !== `io.modelcontextprotocol/${name}`)),
  });

  it.each([
    ['has to be there', echo],
    ['names the revision', without('protocolVersion')],
    ['names what the client can do', without('clientCapabilities')],
  ])('%s', async (_title, params) => {
    expectError(await send(service.app, request('tools/call', params), modernHeaders('tools/call', echo)), { status: 400, code: -32_602 });
  });

  it('need not say who the client is', async () => {
    const { status, body } = await send(service.app, request('tools/call', without('clientInfo')), modernHeaders('tools/call', echo));
    expect([status, body.error]).toEqual([200, undefined]);
  });

  it('of a revision that there is not gets an error with the ones that there are', async () => {
    const params = withEnvelope(echo, { protocolVersion: 'v999.0.0' });
    const headers = { ...modernHeaders('tools/call', echo), 'mcp-protocol-version': 'v999.0.0' };
    const { body: discovered } = await ask(service.app, 'server/discover');
    const answer = await send(service.app, request('tools/call', params), headers);
    expectError(answer, {
      status: 400,
      code: -32_022,
      data: { supported: discovered.result?.['supportedVersions'], requested: 'v999.0.0' },
    });
  });
});

describe('an idempotency key whose task is gone', () => {
  it('never runs the work again, and says so', async () => {
    const later = { name: 'later', arguments: {}, _meta: { 'longhaul/idempotencyKey': 'once' } };
    const call = () =>
      send(service.app, request('tools/call', withEnvelope(later, { capabilities: KNOWS_TASKS })), {
        ...modernHeaders('tools/call', later),
        'longhaul-caller-secret': 'a-secret-of-this-caller-alone-0001',
      });
    const { taskId } = (await call()).body.result as { taskId: string };
    const isKept = async (): Promise<boolean> => (await service.store.events.readOutcome(taskId as TaskId))?.outcome !== undefined;
    await waitUntil(isKept, { description: 'the task has ended' });
    aheadMs += 2 * 3_600_000;
    await waitUntil(async () => !(await isKept()), { description: 'the task is gone' });
    expectError(await call(), { status: 200, code: -32_602, data: { reason: 'IDEMPOTENCY_KEY_SPENT' } });
  });
});

describe('the headers of a request', () => {
  const read = { uri: 'test://text' };
  const get = { name: 'greeting', arguments: { who: 'Ann' } };
  const task = { taskId: NO_TASK };

  it.each<[string, string, object, Record<string, string | undefined>]>([
    ['the revision of the body', 'tools/call', echo, { 'mcp-protocol-version': '2025-11-25' }],
    ['any method', 'tools/call', echo, { 'mcp-method': undefined }],
    ['the method of the body', 'tools/call', echo, { 'mcp-method': 'tools/list' }],
    ['the method in the same letter case', 'tools/call', echo, { 'mcp-method': 'Tools/Call' }],
    ['any name of the tool', 'tools/call', echo, { 'mcp-name': undefined }],
    ['the name of the tool', 'tools/call', echo, { 'mcp-name': 'other' }],
    ['any name of the prompt', 'prompts/get', get, { 'mcp-name': undefined }],
    ['the name of the prompt', 'prompts/get', get, { 'mcp-name': 'other' }],
    ['any URI of the resource', 'resources/read', read, { 'mcp-name': undefined }],
    ['the URI of the resource', 'resources/read', read, { 'mcp-name': 'test://other' }],
    ...['tasks/get', 'tasks/update', 'tasks/cancel'].flatMap((method): [string, string, object, Record<string, string | undefined>][] => [
      [`the id of the task of ${method}`, method, task, { 'mcp-name': 'other' }],
      [`the id of the task of ${method}, if anything`, method, task, { 'mcp-name': '' }],
    ]),
  ])('have to name %s', async (_title, method, params, changed) => {
    const headers = Object.entries({ ...modernHeaders(method, { ...params }), ...changed }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const body = request(method, withEnvelope({ ...params }, { capabilities: KNOWS_TASKS }));
    expectError(await send(service.app, body, Object.fromEntries(headers)), { status: 400, code: -32_020 });
  });

  it.each<[string, Record<string, string>]>([
    ['are missing', {}],
    ['say something else', { 'mcp-param-region': 'west' }],
    ['are no Base64', { 'mcp-param-region': '=?base64?%%?=' }],
  ])('refuse a call when those of its arguments %s', async (_title, headers) => {
    const weather = { name: 'weather', arguments: { region: 'north' } };
    const body = request('tools/call', withEnvelope(weather));
    const answer = await send(service.app, body, { ...modernHeaders('tools/call', weather), ...headers });
    expectError(answer, { status: 400, code: -32_020, data: { header: 'Mcp-Param-Region' } });
  });

  it('may be in any letter case, with spaces around their values', async () => {
    const headers = { 'MCP-PROTOCOL-VERSION': '2026-07-28', 'Mcp-Method': ' tools/call ', 'MCP-NAME': '  echo ' };
    const { status, body } = await send(service.app, request('tools/call', withEnvelope(echo)), headers);
    expect([status, body.error]).toEqual([200, undefined]);
  });
});

describe('a method', () => {
  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'tasks/result',
    'unknown/method',
    'shutdown',
    '__proto__',
    'toString',
  ])('%s is not there', async (method) => {
    const body = request(method, withEnvelope({ uri: 'test://text', level: 'info', taskId: NO_TASK }, { capabilities: KNOWS_TASKS }));
    const headers = { ...modernHeaders(method), 'mcp-name': NO_TASK };
    expectError(await send(service.app, body, headers), { status: 404, code: -32_601 });
  });

  it.each<[string, object, string]>([
    ['tools/call', { name: 'echo', arguments: [] }, 'arguments'],
    ['tools/list', { cursor: 5 }, 'cursor'],
    ['prompts/get', { name: 'greeting', arguments: 'Ann' }, 'arguments'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: {} }, argument: { name: 'who', value: 'A' } }, 'ref'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'greeting' }, argument: { name: 'who', value: 1 } }, 'argument.value'],
    ['tasks/get', {}, 'taskId'],
  ])('%s names the field that is wrong', async (method, params, field) => {
    const answer = await send(
      service.app,
      request(method, withEnvelope({ ...params }, { capabilities: KNOWS_TASKS })),
      modernHeaders(method, { ...params }),
    );
    expect(answer.body.error).toMatchObject({ code: -32_602, message: expect.stringContaining(field) as string });
  });

  it.each<[string, string, object]>([
    ['a tool that there is not', 'tools/call', { name: 'none' }],
    ['a prompt that there is not', 'prompts/get', { name: 'none' }],
    ['a cursor that was never given out', 'tools/list', { cursor: 'none' }],
    ['a state that was never given out', 'tools/call', { ...echo, requestState: 'none' }],
    ['a task that there is not', 'tasks/get', { taskId: NO_TASK }],
    ['a task that there is not', 'tasks/update', { taskId: NO_TASK, inputResponses: {} }],
    ['a task that there is not', 'tasks/cancel', { taskId: NO_TASK }],
    ['a text that is no id of a task', 'tasks/get', { taskId: 'none' }],
  ])('refuses %s', async (_title, method, params) => {
    expectError(await ask(service.app, method, { ...params }, { capabilities: KNOWS_TASKS }), { status: 200, code: -32_602, id: 'ask' });
  });

  it('names the resource that there is not', async () => {
    const answer = await ask(service.app, 'resources/read', { uri: 'test://none' });
    expectError(answer, { status: 200, code: -32_602, data: { uri: 'test://none' }, id: 'ask' });
  });

  it('has the error that a tool has thrown', async () => {
    expectError(await ask(service.app, 'tools/call', { name: 'refuses' }), {
      status: 200,
      code: -31_000,
      data: { why: 'test' },
      id: 'ask',
    });
  });
});

describe('a client that lacks a capability', () => {
  it.each<[string, string, object, object, object]>([
    ['a model', 'tools/call', { name: 'sampler' }, {}, { sampling: {} }],
    ['a user', 'tools/call', { name: 'asker' }, { sampling: {} }, { elicitation: { form: {}, url: {} } }],
    ['tasks', 'tasks/get', { taskId: NO_TASK }, {}, KNOWS_TASKS],
    ['tasks', 'tasks/update', { taskId: NO_TASK, inputResponses: {} }, { extensions: {} }, KNOWS_TASKS],
    ['tasks', 'tasks/cancel', { taskId: NO_TASK }, { extensions: { other: {} } }, KNOWS_TASKS],
    ['tasks, to listen to some', 'subscriptions/listen', { notifications: { taskIds: [NO_TASK] } }, {}, KNOWS_TASKS],
  ])('gets an error that it needs %s', async (_title, method, params, capabilities, requiredCapabilities) => {
    const answer = await ask(service.app, method, { ...params }, { capabilities });
    expectError(answer, { status: 400, code: -32_021, data: { requiredCapabilities }, id: 'ask' });
  });
});

describe('what is no message', () => {
  const headers = modernHeaders('tools/call', echo);

  it.each<[string, unknown, number, unknown]>([
    ['no JSON', '{"jsonrpc":', -32_700, null],
    ['a text', '"hello"', -32_600, null],
    ['a batch', [request('tools/call', withEnvelope(echo))], -32_600, null],
    ['an id that is an object', { ...request('tools/call', withEnvelope(echo)), id: {} }, -32_600, null],
    ['params in an array', { ...request('tools/call', {}), params: [] }, -32_600, 7],
  ])('is refused: %s', async (_title, body, code, id) => {
    const { status, body: answer } = await send(service.app, body, headers);
    expect({ status, code: answer.error?.code, id: answer.id }).toEqual({ status: 400, code, id });
  });
});
