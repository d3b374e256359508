/** Tests the tools that ask their client, with the SDK's own client. */
import { features as everything } from '@longhaul/everything';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import type { TaskId } from '@longhaul/tasks';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CallToolResult,
  type ClientCapabilities,
  CreateTaskResultSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestURLParamsSchema,
  type Result,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AnsweringClients, BOTH_WAYS, CAPABILITIES, MESSAGE, pretty, refusing, textsOf } from '../../support/answering-clients.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { waitUntil } from '../../support/wait-until.js';

const gateways = gatewaysForTests({}, { features: createFeatureRegistry(everything) });
const clients = new AnsweringClients(() => gateways.first.url);

afterEach(() => clients.close());

const raw = (value: unknown): string => `\nRaw result: ${pretty(value)}`;

const Form = z.object({
  requestedSchema: z.object({
    properties: z.record(z.string(), z.object({ type: z.string(), format: z.string().optional(), default: z.json().optional() })),
  }),
});

/** Type and format of each field of a form, and its default. */
function fieldsOf(params: Record<string, unknown> | undefined): Record<string, string> {
  const { properties } = Form.parse(params).requestedSchema;
  const texts = Object.entries(properties).map(([name, { type, format, default: preset }]) => {
    const withFormat = format === undefined ? type : `${type} ${format}`;
    return [name, preset === undefined ? withFormat : `${withFormat} = ${JSON.stringify(preset)}`];
  });
  return Object.fromEntries(texts) as Record<string, string>;
}

const hasForms = ({ elicitation }: ClientCapabilities): boolean =>
  elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));

describe('the list of tools', () => {
  const always = [
    'echo',
    'get-annotated-message',
    'get-resource-links',
    'get-resource-reference',
    'get-structured-content',
    'get-sum',
    'get-tiny-image',
    'gzip-file-as-resource',
    'toggle-simulated-logging',
    'toggle-subscriber-updates',
    'trigger-long-running-operation',
    'simulate-research-query',
    'get-date',
  ];
  const byForm = ['trigger-elicitation-request', 'startElicitation'];
  const bySampling = ['trigger-sampling-request', 'sampleLLM'];

  it.each<[string, ClientCapabilities, string[]]>([
    ['without capabilities', {}, []],
    ['with elicitation of the first days', { elicitation: {} }, byForm],
    ['with forms', { elicitation: { form: {} } }, byForm],
    ['with URLs', { elicitation: { url: {} } }, ['trigger-url-elicitation']],
    ['with a model', { sampling: {} }, bySampling],
    ['with roots', { roots: {} }, ['get-roots-list']],
    [
      'with a model, and tasks for forms that it does not have',
      { ...CAPABILITIES, elicitation: { url: {} } },
      [...bySampling, 'trigger-url-elicitation', 'trigger-sampling-request-async'],
    ],
    [
      'with everything',
      CAPABILITIES,
      [...byForm, ...bySampling, 'trigger-url-elicitation', 'trigger-sampling-request-async', 'trigger-elicitation-request-async'],
    ],
  ])('of a client %s has what it can use', async (_what, capabilities, names) => {
    const { tools } = await (await clients.silent(capabilities)).listTools();
    const standIns = ['task_cancel', 'task_list', 'task_result', 'task_status', ...(hasForms(capabilities) ? [] : ['task_answer'])];
    const ofClient = capabilities.tasks === undefined ? standIns : [];
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...always, ...names, ...ofClient].toSorted());
  });

  it.each(BOTH_WAYS)('is not all that can be named, but the rest is refused with what is missing, %s', async (_how, call) => {
    const client = await clients.silent({ sampling: {} });
    await expect(call(client, 'trigger-sampling-request-async', { prompt: 'Hi' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('has not declared: tasks.sampling') as string,
    });
  });
});

describe.each(BOTH_WAYS)('a sampling tool %s', (how, call) => {
  const prompted = (tool: string, maxTokens: number) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Resource ${tool} context: Say hello` } }],
    systemPrompt: 'You are a helpful test server.',
    maxTokens,
    temperature: 0.7,
  });

  it('shows the whole answer of the model', async () => {
    const { client, asked } = await clients.answering(() => MESSAGE);
    const result = await call(client, 'trigger-sampling-request', { prompt: 'Say hello' });
    const { role, content, model, stopReason } = MESSAGE;
    expect(textsOf(result)).toEqual([`LLM sampling result: \n${pretty({ model, stopReason, role, content })}`]);
    expect(asked).toMatchObject([prompted('trigger-sampling-request', 100)]);
    expect(asked[0]).not.toHaveProperty('includeContext');
    expect('_meta' in (asked[0] ?? {})).toBe(how === 'called as a task');
  });

  it.each<[string, object, string]>([
    ['text', MESSAGE.content, 'Hello!'],
    [
      'anything else as JSON',
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      '{"type":"image","data":"aGk=","mimeType":"image/png"}',
    ],
  ])('of the older kind shows %s', async (_what, content, text) => {
    const { client, asked } = await clients.answering(() => ({ ...MESSAGE, content }));
    expect(textsOf(await call(client, 'sampleLLM', { prompt: 'Say hello', maxTokens: 7 }))).toEqual([`LLM sampling result: ${text}`]);
    expect(asked).toMatchObject([prompted('sampleLLM', 7)]);
    expect(asked[0]).not.toHaveProperty('includeContext');
  });

  it('of the older kind asks for context of this server where the client has declared that it takes such requests', async () => {
    const capabilities = { ...CAPABILITIES, sampling: { context: {} } };
    const { client, asked } = await clients.answering(() => MESSAGE, { capabilities });
    await call(client, 'sampleLLM', { prompt: 'Say hello' });
    expect(asked).toMatchObject([{ includeContext: 'thisServer' }]);
  });
});

describe.each(BOTH_WAYS)('a form %s', (_how, call) => {
  const NUMBERS = { integer: 'integer = 42', number: 'number = 3.14' };

  it('has a field of every type', async () => {
    const { client, asked } = await clients.answering(() => ({ action: 'decline' }));
    await call(client, 'trigger-elicitation-request');
    expect(asked).toMatchObject([{ message: 'Please provide inputs for the following fields:', requestedSchema: { required: ['name'] } }]);
    expect(fieldsOf(asked[0])).toEqual({
      name: 'string',
      check: 'boolean',
      firstLine: 'string = "It was a dark and stormy night."',
      email: 'string email',
      homepage: 'string uri',
      birthdate: 'string date',
      ...NUMBERS,
      untitledSingleSelectEnum: 'string = "Monica"',
      untitledMultipleSelectEnum: 'array = ["Guitar"]',
      titledSingleSelectEnum: 'string = "hero-1"',
      titledMultipleSelectEnum: 'array = ["fish-1"]',
      legacyTitledEnum: 'string = "pet-1"',
    });
  });

  it('of the older kind has nine fields', async () => {
    const { client, asked } = await clients.answering(() => ({ action: 'decline' }));
    await call(client, 'startElicitation');
    expect(fieldsOf(asked[0])).toEqual({
      name: 'string',
      check: 'boolean',
      color: 'string = "blue"',
      email: 'string email',
      homepage: 'string uri',
      birthdate: 'string date',
      ...NUMBERS,
      petType: 'string = "dogs"',
    });
    expect(asked).toMatchObject([
      { requestedSchema: { properties: { petType: { enumNames: ['Cats', 'Dogs', 'Birds', 'Fish', 'Reptiles'] } } } },
    ]);
  });

  describe.each(['trigger-elicitation-request', 'startElicitation'])('of %s', (tool) => {
    it.each<[Result, string[]]>([
      [
        { action: 'accept', content: { name: 'Ada', check: false, color: 'red', integer: 7, petType: 'fish' } },
        [
          '✅ User provided the requested information!',
          'User inputs:\n- Name: Ada\n- Agreed to terms: false\n- Favorite Color: red\n- Favorite Integer: 7\n- Pet Type: fish',
        ],
      ],
      [{ action: 'decline' }, ['❌ User declined to provide the requested information.']],
      [{ action: 'cancel' }, ['⚠️ User cancelled the elicitation dialog.']],
    ])('has %j in its result', async (answer, texts) => {
      const { client } = await clients.answering(() => answer);
      const result = await call(client, tool);
      expect(textsOf(result)).toEqual([...texts, raw(answer)]);
      expect(result.isError).toBeUndefined();
    });
  });
});

describe('a form', () => {
  it.each(['startElicitation', 'trigger-elicitation-request', 'trigger-url-elicitation'])('of %s waits for ten minutes', async (name) => {
    const { client } = await clients.answering(() => ({ action: 'decline' }));
    const params = { name, arguments: { url: 'https://a.example/' }, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    const [created] = await gateways.first.store.events.read(task.taskId as TaskId);
    expect(created?.data).toMatchObject({ maxWaitMs: 600_000, maxRunMs: 7 * 86_400_000 });
    await client.experimental.tasks.cancelTask(task.taskId);
  });
});

describe.each(BOTH_WAYS)('a page to open, %s', (_how, call) => {
  const url = 'https://a.example/page';

  it.each([
    ['accept', `✅ User completed the URL elicitation flow.\nElicitation ID: one\nURL: ${url}`],
    ['decline', '❌ User declined to open the URL (Elicitation ID: one).'],
    ['cancel', '⚠️ User cancelled the URL elicitation (Elicitation ID: one).'],
  ])('has the outcome %s in its result', async (action, text) => {
    const { client, asked } = await clients.answering(() => ({ action }));
    const done: string[] = [];
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => void done.push(params.elicitationId));
    expect(textsOf(await call(client, 'trigger-url-elicitation', { url, elicitationId: 'one' }))).toEqual([text, raw({ action })]);
    expect(asked).toMatchObject([{ mode: 'url', url, message: 'Please open the link to complete this action.', elicitationId: 'one' }]);
    if (action === 'accept') await waitUntil(() => done.length > 0, { description: 'the client hears that the elicitation is complete' });
    expect(done).toEqual(action === 'accept' ? ['one'] : []);
  });

  it('is named by an error first when it is asked for, and asked for when the call comes again', async () => {
    const { client, asked } = await clients.answering(() => ({ action: 'accept' }));
    const other = await clients.answering(() => ({ action: 'accept' }));
    const again = (to: Client = client, args = {}): Promise<CallToolResult> =>
      call(to, 'trigger-url-elicitation', { url, errorPath: true, ...args });
    const refusal = async (attempt: Promise<CallToolResult>): Promise<unknown> => attempt.then(textsOf, (error: unknown) => error);

    const first = await refusal(again());
    expect(first).toMatchObject({
      code: -32042,
      message: expect.stringContaining('This request requires browser-based authorization.') as string,
    });
    expect(z.object({ data: z.object({ elicitations: z.array(ElicitRequestURLParamsSchema) }) }).parse(first).data.elicitations).toEqual([
      {
        mode: 'url',
        url: 'https://modelcontextprotocol.io',
        message: 'Open this link to satisfy the prerequisite, then retry the request.',
        elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      },
    ]);
    expect(asked).toEqual([]);
    // Neither another session nor another call is taken for the one that got the error.
    expect(await refusal(again(other.client))).toMatchObject({ code: -32042 });
    expect(await refusal(again(client, { elicitationId: 'two' }))).toMatchObject({ code: -32042 });

    expect(await refusal(again())).toMatchObject([
      expect.stringContaining('✅ User completed the URL elicitation flow.'),
      raw({ action: 'accept' }),
    ]);
    expect(asked).toMatchObject([{ url }]);
    expect(await refusal(again())).toMatchObject({ code: -32042 });
  });
});

describe.each(BOTH_WAYS)('a client that answers with an error, %s', (_how, call) => {
  it.each([
    'trigger-sampling-request',
    'sampleLLM',
    'trigger-elicitation-request',
    'startElicitation',
    'trigger-url-elicitation',
    'trigger-sampling-request-async',
    'trigger-elicitation-request-async',
  ])('sees its error in the result of %s', async (tool) => {
    const { client } = await clients.answering(refusing);
    const result = await call(client, tool, { prompt: 'Hi', url: 'https://a.example/' });
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([expect.stringContaining('nobody is here')]);
  });
});

describe('a research task', () => {
  it('has a text for the model when it is created', async () => {
    const client = await clients.silent({});
    const params = { name: 'simulate-research-query', arguments: { topic: 'tides' }, task: {} };
    const { _meta, task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    expect(_meta).toEqual({
      'io.modelcontextprotocol/model-immediate-response': expect.stringContaining('The research has begun.') as string,
    });
    await client.experimental.tasks.cancelTask(task.taskId);
  });
});
