/** Tests that what proxied servers ask becomes the task's own question: whoever may answer that answers it, while nobody is connected. */
import { afterEach, describe, expect, it } from 'vitest';
import { ASKABLE, Clients, GENERATIONS, KNOWN_CALLER, textOf } from '../../client/support/clients.js';
import { type Exchange, firstOf, greeting2025, methods, startScriptedServer, type Stream } from '../../client/support/scripted-server.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { rpcSession } from '../../support/gateway/rpc.js';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies, type ServedProxy } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
const after: (() => Promise<void>)[] = [];
afterEach(async () => {
  await clients.close();
  await proxies.close();
  for (const end of after.splice(0)) await end();
});

const PUBLIC_URL = 'http://localhost:3000/mcp';
const REQUESTS: Readonly<Record<string, { readonly method: string; readonly params: object }>> = {
  form: {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'Name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
  url: { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url: 'https://theirs.example/in', elicitationId: 'e1' } },
  sampling: {
    method: 'sampling/createMessage',
    params: {
      messages: [{ role: 'user', content: { type: 'text', text: 'Time?' } }],
      maxTokens: 10,
      tools: [{ name: 'clock', inputSchema: { type: 'object' } }],
    },
  },
  roots: { method: 'roots/list', params: {} },
};
const kindIn = (params: Record<string, unknown>): string => (params['arguments'] as { kind: string }).kind;
const said = (response: unknown): Record<string, unknown> => ({ content: [{ type: 'text', text: JSON.stringify(response) }] });

/** Servers with a tool that asks what its arguments say, and answers with the answer. */
const UPSTREAMS: Readonly<Record<string, () => Promise<object>>> = {
  'a process of 2025-11-25': async () =>
    oddServer({
      first: `const requests = ${JSON.stringify(REQUESTS)};
        process.stdin.on('data', (data) => {
          for (const line of String(data).split('\\n')) if (line.includes('"id":"question"')) {
            const { result, error } = JSON.parse(line);
            say({ id: globalThis.asker, result: { content: [{ type: 'text', text: JSON.stringify(result ?? error) }] } });
          }
        });`,
      answers: `if (method !== 'tools/call') return;
        globalThis.asker = id;
        say({ id: 'question', ...requests[params.arguments.kind] });
        return 'none';`,
    }),
  'a URL of 2025-11-25': async () => {
    const asked = new Map<unknown, Stream>();
    const asking = (exchange: Exchange): void => {
      const question = `question of ${String(exchange.id)}`;
      asked.set(question, exchange.stream({ id: question, ...REQUESTS[kindIn(exchange.params)] }));
    };
    const upstream = await startScriptedServer(firstOf(methods({ 'tools/call': asking }), greeting2025), {
      onSent: ({ id, result, error }) => asked.get(id)?.result(said(result ?? error)),
    });
    after.push(() => upstream.close());
    return { url: upstream.url };
  },
  'a URL of 2026-07-28': async () => {
    const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    const capabilities = { tools: {} };
    const upstream = await startScriptedServer(({ method, params, result }) => {
      if (method === 'server/discover') return result({ ...modern, supportedVersions: ['2026-07-28'], capabilities });
      if (method === 'tools/list') return result({ ...modern, tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
      if (method !== 'tools/call') return false;
      const { inputResponses, requestState } = params as { inputResponses?: { q: unknown }; requestState?: string };
      if (inputResponses === undefined)
        return result({ resultType: 'input_required', inputRequests: { q: REQUESTS[kindIn(params)] }, requestState: 'state of theirs' });
      return result({ ...said(requestState === 'state of theirs' ? inputResponses.q : 'no state'), resultType: 'complete' });
    });
    after.push(() => upstream.close());
    return { url: upstream.url };
  },
};

/** What a model reads of a call. */
type Call = (name: string, args: object) => Promise<string>;
const CLIENTS: Readonly<Record<(typeof GENERATIONS)[number], (served: ServedProxy) => Promise<Call>>> = {
  '2025-11-25': async ({ service }) => {
    const session = await rpcSession(service.app, '2025-11-25', {});
    return async (name, args) => textIn((await session.call('tools/call', { name, arguments: args })).result);
  },
  '2026-07-28': async ({ url }) => {
    const client = modernClient({ url }, {}, KNOWN_CALLER.requestInit.headers);
    return async (name, args) => textIn((await client.tool(name, args)).result);
  },
};
const textIn = (result: Record<string, unknown> = {}): string => {
  const [block] = (result['content'] ?? []) as { text: string }[];
  return block?.text ?? '';
};

/** Ways to answer a form. */
const WAYS: Readonly<Record<string, (told: string, taskId: string, served: ServedProxy, call: Call) => Promise<unknown>>> = {
  'on the page of its link': async (told, _taskId, { url }) => {
    const [, path = ''] = /http:\/\/localhost:3000(\/tasks\/[\w.-]+)/.exec(told) ?? [];
    const page = await (await fetch(new URL(path, url))).text();
    expect(page).toContain('server &quot;theirs&quot; asks: Name?');
    const answered = await fetch(new URL(path, url), {
      method: 'POST',
      body: new URLSearchParams({ action: 'accept', 'field-0': 'Ada' }),
    });
    expect(answered.status).toBe(200);
  },
  'through the model': async (_told, taskId, _served, call) => call('task_answer', { taskId, action: 'accept', content: { name: 'Ada' } }),
  'by an operator': async (_told, taskId, { service }) => {
    const [created] = service.created;
    const [input] = (await service.tasks.get(taskId, created ?? { owner: '' })).pendingInputs;
    const answer = { response: { action: 'accept', content: { name: 'Ada' } } };
    await service.tasks.provideInput(taskId, input?.key ?? '', () => answer, created ?? { owner: '' }, { via: 'operator:ada' });
  },
};

describe.each(Object.entries(UPSTREAMS))('a question of %s', (_upstream, start) => {
  it.each(GENERATIONS.flatMap((generation) => Object.entries(WAYS).map(([how, answer]) => ({ generation, how, answer }))))(
    'for a client of $generation that cannot be asked is answered $how',
    async ({ generation, answer }) => {
      const served = await proxies.serve({ theirs: await start() }, { service: { settings: { publicUrl: PUBLIC_URL, patienceMs: 20 } } });
      const call = await CLIENTS[generation](served);
      const told = await call('theirs__work', { kind: 'form' });
      expect(told).toContain('work of the server \\"theirs\\" asks: Name?');
      const [, taskId = ''] = /task_result with {"taskId":"([^"]+)"}/.exec(told) ?? [];
      await answer(told, taskId, served, call);
      const result = await waitUntil(
        async () => {
          const text = await call('task_result', { taskId });
          return !text.includes('task_result') && text;
        },
        { description: 'the result is there' },
      );
      expect(JSON.parse(result)).toEqual({ action: 'accept', content: { name: 'Ada' } });
    },
  );

  it.each(GENERATIONS)('of each kind reaches a client of %s that can be asked', async (generation) => {
    const { url } = await proxies.serve({ theirs: await start() });
    const capabilities = { ...ASKABLE, elicitation: { form: {}, url: {} }, sampling: { tools: {} } };
    const sampled = { role: 'assistant' as const, model: 'm', content: { type: 'tool_use' as const, id: 't', name: 'clock', input: {} } };
    const onInput = {
      elicitation: (params: object) => ({ action: 'accept' as const, ...('url' in params ? {} : { content: { name: 'Ada' } }) }),
      sampling: (params: object) => ('tools' in params ? sampled : { ...sampled, content: { type: 'text' as const, text: 'none' } }),
      roots: () => ({ roots: [{ uri: 'file:///work' }] }),
    };
    const client = await clients.connect(url, { generation, capabilities, onInput, transport: KNOWN_CALLER });
    const answerTo = async (kind: string) => JSON.parse(String(textOf(await client.callTool('theirs__work', { kind })))) as unknown;
    expect(await answerTo('form')).toMatchObject({ action: 'accept', content: { name: 'Ada' } });
    expect(await answerTo('url')).toMatchObject({ action: 'accept' });
    expect(await answerTo('sampling')).toMatchObject({ content: { type: 'tool_use', name: 'clock' } });
    expect(await answerTo('roots')).toMatchObject({ roots: [{ uri: 'file:///work' }] });
  });
});

describe.each(Object.entries(UPSTREAMS).filter(([name]) => name.endsWith('2025-11-25')))('a question of %s', (_upstream, start) => {
  it.each([
    { generation: '2025-11-25', annotations: {}, isAsked: true },
    { generation: '2026-07-28', annotations: {}, isAsked: false },
    { generation: '2026-07-28', annotations: { idempotentHint: true }, isAsked: true },
  ] as const)(
    'of a call within the request of $generation, whose tool has $annotations, is asked: $isAsked',
    async ({ generation, annotations, isAsked }) => {
      const tools = { work: { task: 'forbidden', annotations } };
      const { url } = await proxies.serve({ theirs: { ...(await start()), tools } });
      const onInput = { elicitation: () => ({ action: 'accept' as const, content: { name: 'Ada' } }) };
      const client = await clients.connect(url, { generation, capabilities: ASKABLE, onInput, transport: KNOWN_CALLER });
      const answer = String(textOf(await client.callTool('theirs__work', { kind: 'form' })));
      expect(answer).toContain(isAsked ? 'Ada' : 'does not say that it may be called twice');
    },
  );
});
