/** Runs the examples of the documents as their readers do: against a gateway and a worker in separate processes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  type CallToolResult,
  CallToolResultSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as agentExample from '../../docs/examples/agent.js';
import type * as clientExample from '../../docs/examples/client.js';
import type * as featuresExample from '../../docs/examples/feature-kinds.js';
import type * as nightlyExample from '../../docs/examples/nightly-report.js';
import type * as toolExample from '../../docs/examples/publish-note.js';
import type * as storyExample from '../../docs/examples/story.js';
import type * as webhookExample from '../../docs/examples/webhook-receiver.js';
import { startScriptedEndpoint } from '@longhaul/agent/testing';
import { freePort } from '@longhaul/bench/free-port';
import { Workplace } from '../cli/support/launcher.js';
import { Deployment } from '../support/deployment.js';
import { waitUntil } from '../support/wait-until.js';

/** Not used: it has the compiler check the examples as well. */
export type CheckedExamples =
  | typeof agentExample
  | typeof nightlyExample
  | typeof clientExample
  | typeof toolExample
  | typeof storyExample
  | typeof featuresExample
  | typeof webhookExample;

const examples = new URL('../../docs/examples/', import.meta.url).pathname;
const standIns = new URL('stand-ins/', import.meta.url).pathname;

let folder: string;
let notes: string;
let deployment: Deployment;
let endpoint: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-docs-'));
  notes = join(folder, 'notes.txt');
  deployment = Deployment.create({
    LONGHAUL_RESEARCH_STAGE_MS: '300',
    LONGHAUL_FEATURES: ['@longhaul/everything', ...['publish-note.ts', 'feature-kinds.ts'].map((name) => join(examples, name))].join(),
    NOTES_FILE: notes,
  });
  const [gateway] = await Promise.all([deployment.gateway(), deployment.worker()]);
  endpoint = gateway.url;
});
afterAll(async () => {
  await deployment.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program. Where the machine has no curl, a small stand-in is found at the end of PATH. */
async function run(program: string, args: readonly string[], { PATH = '', ...env }: Record<string, string> = {}): Promise<string> {
  const path = [PATH, dirname(process.execPath), process.env['PATH'] ?? '', standIns].join(delimiter);
  const { stdout } = await promisify(execFile)(program, args, { env: { ...process.env, ...env, PATH: path }, timeout: 120_000 });
  return stdout;
}

describe('the first session', () => {
  it('opens a session, runs a task with a question, cancels another one and lists both', async () => {
    const printed = await run('sh', [join(examples, 'first-session.sh'), endpoint]);
    const [opened, called, asked, answered, cancelled, listed] = printed.split(/^\d\. .*\n/m).slice(1);
    expect(opened).toContain('"protocolVersion":"2025-11-25"');
    expect(called).toContain('"status":"working"');
    expect(asked).toContain('"status":"input_required"');
    expect(answered).toContain('"method":"elicitation/create"');
    expect(answered).toContain('# Research Report: python (snake)');
    expect(cancelled).toContain('"status":"cancelled"');
    const { result } = JSON.parse(listed ?? '') as { result: { tasks: { status: string }[] } };
    expect(result.tasks.map(({ status }) => status)).toEqual(['cancelled', 'completed']);
  });

  it('ends with a reason when its server dies while it waits', async () => {
    const dying = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        if (body.includes('tasks/result')) request.destroy();
        else response.setHeader('mcp-session-id', '0').end('{"taskId":"1"}');
      });
    }).listen(0, '127.0.0.1');
    await once(dying, 'listening');
    const { port } = dying.address() as AddressInfo;
    await expect(run('sh', [join(examples, 'first-session.sh'), `http://127.0.0.1:${port}/mcp`])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The request has ended without a question') as string,
    });
    dying.close();
  });
});

describe('the client of the SDK', () => {
  it('sees the task work, answers its question and gets the report', async () => {
    const printed = await run(process.execPath, [join(examples, 'client.ts'), endpoint]);
    expect(printed).toContain('question       The research query "tides" could have multiple interpretations.');
    expect(printed).toContain('# Research Report: tides (historical)');
  });
});

describe('a task whose processes are all killed', () => {
  const script = join(examples, 'survive.sh');

  it('waits for its answer when they are started again, and ends, as the picture shows', async () => {
    const [port, calls] = [String(await freePort()), join(folder, 'node-calls.txt')];
    // A node on PATH is not the project's.
    await writeFile(join(folder, 'node'), `#!/bin/sh\necho "$@" >>'${calls}'\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    const printed = await run('sh', [script], { PATH: folder, PORT: port, LONGHAUL_RESEARCH_STAGE_MS: '300' });
    const picture = await readFile(join(examples, '../images/survives.svg'), 'utf8');
    const lines = [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, line]) => line);
    expect(printed.replaceAll(port, '3111').split('\n').filter(Boolean)).toEqual(lines);
    expect(await readFile(calls, 'utf8').catch(() => '')).not.toContain('start');
  });

  it('is not waited for when the start fails: the script ends, and says why', async () => {
    const other = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const failure = run('sh', [script], { PORT: port });
    await expect(failure).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^There is no endpoint, because its process has ended:\n[^]*Port ${port} on 127.0.0.1 is taken`),
      ) as string,
    });
    other.close();
  });
});

describe('the story of a task', () => {
  it('is read from the data file of longhaul start', async () => {
    const place = new Workplace();
    const started = await place.run(['start'], { PORT: '0' }).endpoint();
    const printed = await run(process.execPath, [join(examples, 'client.ts'), started.href]);
    const taskId = /^created +(\S+)$/m.exec(printed)?.[1] ?? '';
    const story = await run(process.execPath, [join(examples, 'story.ts'), taskId], { LONGHAUL_DATA_DIR: join(place.folder, '.longhaul') });
    await place.close();
    const events = story.trim().split('\n');
    expect(events[0]).toMatch(/^1\tTaskCreated\t\{"tool":"simulate-research-query"/);
    expect(events.at(-1)).toMatch(/\tTaskCompleted\t\{"result":/);
  });
});

describe('the agent', () => {
  it('calls the tool of its own program, and answers', async () => {
    const endpoint = await startScriptedEndpoint([{ toolCalls: [{ name: 'read-notes', arguments: {} }] }, { content: 'Buy bread.' }]);
    const env = { LONGHAUL_AGENT_BASE_URL: endpoint.url, LONGHAUL_AGENT_MODEL: 'scripted' };
    const printed = await run(process.execPath, [join(examples, 'agent.ts')], env);
    await endpoint.close();
    expect(printed).toBe('calls   read-notes {}\nanswered Buy bread.\n');
  });
});

describe('the durable tool', () => {
  it.each([
    [true, 'Published as'],
    [false, 'Not published.'],
  ])('whose user answers %j ends with "%s"', async (approved, expected) => {
    const client = await deployment.client(endpoint, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { approved } })),
    );
    await client.listTools();
    const call = { name: 'publish-note', arguments: { text: `approved: ${approved}`, delaySeconds: 0.1 } };
    let result: CallToolResult | undefined;
    for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema))
      if (message.type === 'result') result = message.result;
    expect(JSON.stringify(result?.content)).toContain(expected);
    expect((await readFile(notes, 'utf8').catch(() => '')).includes(`approved: ${approved}`)).toBe(approved);
  });
});

describe('the features of each kind', () => {
  it('has a tool that knows, or asks its user', async () => {
    const client = await deployment.client(endpoint, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { celsius: 31 } })),
    );
    const celsiusIn = async (city: string, from = client) =>
      (await from.callTool({ name: 'temperature', arguments: { city } })) as CallToolResult;
    expect((await celsiusIn('Oslo')).structuredContent).toEqual({ celsius: 4 });
    expect((await celsiusIn('Cairo')).structuredContent).toEqual({ celsius: 31 });
    expect(await celsiusIn('Cairo', await deployment.client(endpoint))).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'There is no measurement of Cairo.' }],
    });
  });

  it('has a tool that continues as new until it is done, which is one task to its client', async () => {
    const client = await deployment.client(endpoint);
    await client.listTools();
    const call = { name: 'copy-pages', arguments: { pages: 3 } };
    const seen = new Set<string>();
    let result: CallToolResult | undefined;
    for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema))
      if (message.type === 'result') result = message.result;
      else if (message.type === 'taskCreated') seen.add(message.task.taskId);
      else if (message.type === 'taskStatus') seen.add(message.task.taskId);
    expect(seen.size).toBe(1);
    expect(result?.content).toEqual([{ type: 'text', text: 'Copied 3 pages.' }]);
  });

  it('has a tool whose parts are reported while it works, and are its result', async () => {
    const client = await deployment.client(endpoint);
    const reports: unknown[] = [];
    const onprogress = (report: unknown) => void reports.push(report);
    const { content } = await client.callTool({ name: 'report', arguments: {} }, CallToolResultSchema, { onprogress });
    expect(content).toEqual(['Oslo has 4 °C.', 'Rome has 19 °C.'].map((text) => ({ type: 'text', text })));
    expect(reports.at(-1)).toEqual({ progress: 2, message: 'Rome has 19 °C.' });
  });

  it('has a tool with a raw schema, which is listed word for word', async () => {
    const client = await deployment.client(endpoint);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'sum-of-fields')?.inputSchema).toEqual({
      type: 'object',
      additionalProperties: { type: 'number' },
      minProperties: 1,
    });
    const { content } = await client.callTool({ name: 'sum-of-fields', arguments: { a: 1, b: 2.5 } });
    expect(content).toEqual([{ type: 'text', text: '3.5' }]);
  });

  it('has a tool with an argument that clients of the newest revision send in a header as well', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const params = { name: 'forecast', arguments: { region: 'north' }, _meta };
    const call = (headers: Record<string, string>) =>
      fetch(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'forecast',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
    const answered = await call({ 'mcp-param-region': 'north' });
    expect(await answered.json()).toMatchObject({ result: { content: [{ type: 'text', text: 'Rain.' }] } });
    const refused = await call({ 'mcp-param-region': 'south' });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32020 } }]);
  });

  it('has a prompt whose arguments are completed, by what is given of the others', async () => {
    const client = await deployment.client(endpoint);
    const ref = { type: 'ref/prompt', name: 'postcard' } as const;
    const complete = async (name: string, value: string, given = {}) =>
      (await client.complete({ ref, argument: { name, value }, context: { arguments: given } })).completion.values;
    expect(await complete('city', 'R')).toEqual(['Rome']);
    expect(await complete('tone', '')).toEqual(['warm', 'dry']);
    expect(await complete('tone', '', { city: 'Oslo' })).toEqual(['dry']);
    const { messages } = await client.getPrompt({ name: 'postcard', arguments: { city: 'Rome' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Write a warm postcard from Rome.' } }]);
  });

  it('has a resource, and a template that lists, completes and reads its own', async () => {
    const client = await deployment.client(endpoint);
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read('weather://cities')).toMatchObject([{ mimeType: 'application/json', text: '{"Oslo":4,"Rome":19}' }]);
    expect(await read('weather://cities/Rome')).toMatchObject([{ mimeType: 'text/plain', text: '19 °C' }]);
    await expect(read('weather://cities/Cairo')).rejects.toMatchObject({ code: -32002 });
    const listed = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(listed).toEqual(expect.arrayContaining(['weather://cities', 'weather://cities/Oslo', 'weather://cities/Rome']));
    const ref = { type: 'ref/resource', uri: 'weather://cities/{city}' } as const;
    expect((await client.complete({ ref, argument: { name: 'city', value: 'O' } })).completion.values).toEqual(['Oslo']);
  });

  it('has a tool that keeps records of its caller, and a resource of them that notifies who has subscribed', async () => {
    const updated: string[] = [];
    const client = await deployment.client(endpoint, {}, (prepared) => {
      prepared.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    });
    const uri = 'weather://measured';
    const measure = async (celsius: number) => (await client.callTool({ name: 'measure', arguments: { city: 'Oslo', celsius } })).content;
    await client.subscribeResource({ uri });
    expect([await measure(3), await measure(5)]).toMatchObject([[{ text: 'Measured 1 times.' }], [{ text: 'Measured 2 times.' }]]);
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: '{"Oslo":[3,5]}' }]);
    await waitUntil(() => updated.length === 2, { description: 'both notifications have come' });
    const other = await deployment.client(endpoint);
    expect((await other.readResource({ uri })).contents).toMatchObject([{ text: '{}' }]);
  });

  it('has a durable tool that keeps records of the caller', async () => {
    const client = await deployment.client(endpoint);
    const { content } = await client.callTool({ name: 'remeasure', arguments: { city: 'Oslo', hours: 0 } });
    expect(content).toEqual([{ type: 'text', text: 'Noted.' }]);
  });

  it('has a session job that notifies its client until it is stopped', async () => {
    const received: unknown[] = [];
    const client = await deployment.client(endpoint, {}, (prepared) => {
      prepared.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void received.push(params.data));
      prepared.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void received.push(params.uri));
    });
    const follow = async (wanted: boolean) => (await client.callTool({ name: 'follow-weather', arguments: { follow: wanted } })).content;
    await client.subscribeResource({ uri: 'weather://cities' });
    expect(await follow(true)).toMatchObject([{ text: 'Started.' }]);
    expect(await follow(true)).toMatchObject([{ text: 'Started already.' }]);
    await waitUntil(() => received.length >= 4, { description: 'the messages of two runs of the job have come' });
    expect(received).toContain('weather://cities');
    expect(received).toContainEqual(expect.stringMatching(/^Measured again, the 2\. time\.$/));
    expect(await follow(false)).toMatchObject([{ text: 'Stopped.' }]);
    expect(await follow(false)).toMatchObject([{ text: 'Not started.' }]);
  });
});
