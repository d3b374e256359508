/** Tests halves of characters that features return: no message may contain one, because strict clients refuse all of it. */
import { createFeatureRegistry, definePrompt, defineResource, defineTool, ProtocolError } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { rawInit } from '../../support/gateway-2026/raw-request.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { HEADERS, openSession } from '../../support/gateway/rpc.js';
import { openStream } from '../../support/gateway/stream.js';

const HALF = 'half \ud83d of a character';
const WHOLE = 'half \ufffd of a character';
const input = z.object({});
const description = `For the test, ${HALF}`;

const features = createFeatureRegistry([
  defineTool({ name: 'result', description, input, run: () => HALF }),
  defineTool({ name: 'structured', description, input, run: () => ({ content: [], structuredContent: { [HALF]: [HALF] } }) }),
  defineTool({ name: 'error', description, input, run: () => Promise.reject(new Error(HALF)) }),
  defineTool({ name: 'protocol-error', description, input, run: () => Promise.reject(new ProtocolError(-32_602, HALF, { [HALF]: HALF })) }),
  defineTool({
    name: 'reports',
    description,
    input,
    run: (_args, context) => {
      context.progress({ progress: 1, message: HALF });
      context.log('error', { [HALF]: HALF }, HALF);
      return HALF;
    },
  }),
  defineTool({
    name: 'durable',
    description,
    input,
    task: 'optional',
    run: async (_args, context) => {
      context.progress({ progress: 1, message: HALF });
      context.log('error', HALF);
      context.status(HALF);
      await context.step('say', async () => HALF);
      // The status of a task that has failed is the beginning of its text: it is cut in the middle of a character.
      return { content: [{ type: 'text', text: `${'x'.repeat(499)}😀` }], structuredContent: { [HALF]: HALF }, isError: true };
    },
  }),
  definePrompt({ name: 'prompt', description, run: () => HALF }),
  defineResource({ uri: 'test://half', name: HALF, read: () => HALF }),
]);

const service = serviceForTests({ features });
let url: string;
let session: Record<string, string>;
beforeAll(async () => {
  url = await service.listen();
  session = { 'mcp-session-id': await openSession(service.app) };
});

/** What is asked of the server in both versions. */
const asked: [string, Record<string, unknown>][] = [
  ...['result', 'structured', 'error', 'protocol-error', 'reports', 'durable'].map((name): [string, Record<string, unknown>] => [
    'tools/call',
    { name },
  ]),
  ['tools/list', {}],
  ['prompts/get', { name: 'prompt' }],
  ['resources/list', {}],
  ['resources/read', { uri: 'test://half' }],
];

interface Sent {
  readonly method: string;
  readonly params?: Record<string, unknown>;
  readonly progressToken?: string;
  readonly id?: string;
  readonly accept?: string;
}

/** Sends a request. @returns the text of the response, as it came */
async function send(
  generation: string,
  { method, params = {}, progressToken = 'p', id = 'raw', accept = HEADERS.accept }: Sent,
): Promise<string> {
  const { headers, body } = rawInit(method, {
    params,
    meta: { progressToken, logLevel: 'debug' },
    headers: { accept, 'mcp-name': namable(params) },
  });
  const of2025 = {
    headers: { ...HEADERS, ...session, host: new URL(url).host, accept },
    body: { params: { ...params, _meta: { progressToken } } },
  };
  const message = generation === '2026-07-28' ? { headers, body: JSON.parse(body) as object } : of2025;
  const sent = JSON.stringify({ jsonrpc: '2.0', method, ...message.body, id });
  return (await fetch(url, { method: 'POST', headers: message.headers, body: sent })).text();
}

/** The characters that the header of a name can contain. */
function namable({ name, uri }: Record<string, unknown>): string | undefined {
  const text = name ?? uri;
  return typeof text === 'string' && /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}

function expectWellFormed(text: string): void {
  expect(text).toContain('\ufffd');
  expect(text).not.toMatch(/\\ud[89a-f]/i);
}

describe.each(['2025-11-25', '2026-07-28'])('in %s', (generation) => {
  it.each(asked)('%s with %j is answered with whole characters', async (method, params) => {
    for (const accept of ['application/json, text/event-stream', 'application/json', 'text/event-stream'])
      expectWellFormed(await send(generation, { method, params, accept }));
  });

  it.each<[string, Sent, string]>([
    ['the id of a request', { id: HALF, method: 'tools/list' }, String.raw`\"id\"`],
    ['a token of progress', { method: 'tools/call', params: { name: 'result' }, progressToken: HALF }, 'params._meta.progressToken'],
    ['a name', { method: 'tools/call', params: { name: HALF } }, 'params.name'],
  ])('%s that cannot be sent back as it came is refused', async (_title, message, field) => {
    expect(await send(generation, message)).toContain(`${field} has half of a character`);
  });
});

it('the statuses of a task and what it says come whole on the standalone stream, and its status is cut between characters', async () => {
  const stream = await openStream(url, { headers: { accept: 'text/event-stream', ...session } });
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'durable', task: {}, _meta: { progressToken: 'q' } },
  });
  await fetch(url, { method: 'POST', headers: { ...HEADERS, ...session, host: new URL(url).host }, body });
  const failed = await stream.message('the task has failed', ({ params }) => (params as { status?: string }).status === 'failed');
  expect((failed['params'] as { statusMessage: string }).statusMessage).toBe('x'.repeat(499));
  await waitUntil(() => stream.text().includes(WHOLE), { description: 'what the task says comes' });
  expectWellFormed(stream.text());
  stream.hangUp();
});
