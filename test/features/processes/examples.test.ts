/** Runs the modules of examples/ as their readers do: with their own gateway and worker, and the SDK's client. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, CallToolResultSchema, CreateTaskResultSchema, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, AnsweringClients, BOTH_WAYS, MESSAGE, textsOf } from '../../support/answering-clients.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const examples = new URL('../../../examples/', import.meta.url).pathname;
const modules = ['text-tools.ts', 'place-order.ts', 'dist/glossary.js'].map((name) => join(examples, name));

let folder: string;
let journal: string;
let deployment: Deployment;
let gateway: Process;
let worker: Process;
const clients = new AnsweringClients(() => gateway.url);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-examples-'));
  journal = join(folder, 'orders.jsonl');
  deployment = Deployment.create({ LONGHAUL_FEATURES: modules.join(), ORDERS_FILE: journal });
  [gateway, worker] = await Promise.all([deployment.gateway(), deployment.worker()]);
});
afterEach(async () => {
  await clients.close();
  await rm(journal, { force: true });
});
afterAll(async () => {
  const lasting = await deployment.redis.keysWithoutTtl();
  await deployment.close();
  await rm(folder, { recursive: true, force: true });
  expect(lasting).toEqual([]);
});

describe('the tool module', () => {
  const text = 'Ships sail. Trains run on rails. Planes fly.';

  it('counts a text', async () => {
    const client = await clients.silent({});
    const result = await client.callTool({ name: 'text-statistics', arguments: { text } });
    expect(result.structuredContent).toEqual({ words: 8, sentences: 3, readingMinutes: 1 });
  });

  it("has the client's model summarise it", async () => {
    const { client, asked } = await clients.answering(() => MESSAGE);
    const result = await client.callTool({ name: 'summarise', arguments: { text, sentences: 1 } });
    expect(textsOf(result as CallToolResult)).toEqual(['Hello!']);
    expect(asked).toMatchObject([{ maxTokens: 500, messages: [{ content: { text: `Summarise this in 1 sentences:\n\n${text}` } }] }]);
  });

  it('summarises it by its beginning for a client without a model', async () => {
    const client = await clients.silent({});
    const result = await client.callTool({ name: 'summarise', arguments: { text } });
    expect(textsOf(result as CallToolResult)).toEqual(['Ships sail. Trains run on rails.']);
  });
});

describe('the durable workflow', () => {
  const order = { item: 'lamp', quantity: 2, unitPrice: 300, cancellableSeconds: 0.1 };

  const approving: Answer = ({ method }) =>
    method === 'elicitation/create' ? { action: 'accept', content: { approved: true, note: 'Quickly, please.' } } : MESSAGE;

  /** The events in the journal, each with its key. */
  async function journalEvents(): Promise<{ event: string; key: string; note?: string }[]> {
    const lines = await readFile(journal, 'utf8').catch(() => '');
    return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { event: string; key: string }]));
  }

  it.each(BOTH_WAYS)('places an order that was approved, %s', async (_how, call) => {
    const { client, asked } = await clients.answering(approving);
    const result = await call(client, 'place-order', order);
    const [{ key: orderId } = { key: '' }, charged] = await journalEvents();
    expect(result.structuredContent).toEqual({ orderId, status: 'placed', total: 600, confirmation: 'Hello!' });
    expect(charged).toMatchObject({ event: 'charged', orderId, total: 600, note: 'Quickly, please.' });
    expect(asked).toMatchObject([
      {
        message: 'Order 2 × lamp for 600?',
        requestedSchema: {
          properties: { approved: { type: 'boolean' }, note: { type: 'string', maxLength: 200 } },
          required: ['approved'],
        },
      },
      { messages: [{ content: { text: 'Write one friendly sentence that says: You have ordered 2 × lamp.' } }] },
    ]);
  });

  it.each([{ action: 'accept', content: { approved: false } }, { action: 'decline' }])(
    'gives back what it reserved when the user answers %j',
    async (answer) => {
      const { client } = await clients.answering(() => answer);
      const result = await client.callTool({ name: 'place-order', arguments: order });
      expect(result.structuredContent).toMatchObject({ status: 'declined', confirmation: 'Nothing was ordered.' });
      expect((await journalEvents()).map(({ event }) => event)).toEqual(['reserved', 'released']);
    },
  );

  it('reports progress, and asks for no approval of a small order; without a model it confirms by itself', async () => {
    const client = await clients.silent({ elicitation: {} });
    const progress: unknown[] = [];
    const small = { ...order, quantity: 1 };
    const result = await client.callTool({ name: 'place-order', arguments: small }, undefined, {
      onprogress: (report) => void progress.push(report),
    });
    expect(result.structuredContent).toMatchObject({ total: 300, confirmation: 'You have ordered 1 × lamp.' });
    expect(progress.at(-1)).toEqual({ progress: 100, total: 100 });
  });

  it('goes on after the death of its worker, and reserves once', async () => {
    const { client } = await clients.answering(approving);
    const params = { name: 'place-order', arguments: order, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    await waitUntil(async () => (await client.experimental.tasks.getTask(task.taskId)).status === 'input_required', {
      description: 'the order waits for its approval',
    });
    await worker.kill();
    worker = await deployment.worker();
    const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(result.structuredContent).toMatchObject({ status: 'placed' });
    expect((await journalEvents()).map(({ event }) => event)).toEqual(['reserved', 'charged']);
  });
});

describe('the decorated class', () => {
  it('lists its features', async () => {
    const client = await clients.silent({});
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { resources } = await client.listResources();
    expect(tools).toContainEqual(expect.objectContaining({ name: 'look-up-term', description: 'Says what a term means.' }));
    expect(tools.map(({ name }) => name)).not.toContain('quiz');
    expect(prompts.find(({ name }) => name === 'explain-term')?.arguments).toEqual([
      { name: 'term', required: true },
      { name: 'audience', required: false },
    ]);
    expect(resourceTemplates).toContainEqual(expect.objectContaining({ name: 'meaning', uriTemplate: 'glossary://{term}' }));
    expect(resources).toContainEqual({ uri: 'glossary://recorded%20step', name: 'recorded step' });
  });

  it('looks up a term in what its instance was made with', async () => {
    const client = await clients.silent({});
    const lookUp = async (term: string) =>
      textsOf((await client.callTool({ name: 'look-up-term', arguments: { term } })) as CallToolResult);
    expect(await lookUp('pass')).toEqual(['one run of a workflow, from its start to its next wait or its end']);
    expect(await lookUp('nothing')).toEqual(['Unknown. Known are pass, projection, recorded step.']);
  });

  it('reads a resource of its template, and has no other', async () => {
    const client = await clients.silent({});
    const uri = 'glossary://recorded%20step';
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: 'text/plain', text: 'a part of a workflow whose value is kept, so that it never runs again' },
    ]);
    await expect(client.readResource({ uri: 'glossary://nothing' })).rejects.toMatchObject({ code: -32002 });
  });

  it('gets its prompt, with the default of an argument', async () => {
    const client = await clients.silent({});
    const { messages } = await client.getPrompt({ name: 'explain-term', arguments: { term: 'pass' } });
    expect(messages).toMatchObject([
      { role: 'user', content: { text: expect.stringMatching(/^Explain "pass" to an expert\./) as string } },
    ]);
    const wrong = client.getPrompt({ name: 'explain-term', arguments: { term: 'pass', audience: 'a cat' } });
    await expect(wrong).rejects.toMatchObject({ code: ErrorCode.InvalidParams });
  });

  it.each([
    ['its prompt', { type: 'ref/prompt', name: 'explain-term' }],
    ['its template', { type: 'ref/resource', uri: 'glossary://{term}' }],
  ] as const)('completes the term of %s', async (_what, ref) => {
    const client = await clients.silent({});
    const { completion } = await client.complete({ ref, argument: { name: 'term', value: 'p' } });
    expect(completion).toEqual({ values: ['pass', 'projection'], total: 2, hasMore: false });
  });

  it.each(BOTH_WAYS)('asks its user for each term in a task, %s', async (_how, call) => {
    const { client, asked } = await clients.answering(() => ({ action: 'accept', content: { meaning: 'a guess' } }));
    const [text] = textsOf(await call(client, 'quiz'));
    expect(text?.split('\n')[0]).toBe(
      'pass: you say "a guess", we say "one run of a workflow, from its start to its next wait or its end".',
    );
    expect(asked.map(({ message }) => message)).toEqual(['What is a pass?', 'What is a projection?', 'What is a recorded step?']);
  });
});
