/** Tests servers of an agent that are reached by HTTP: their questions, the messages to them, and the end of their tasks. */
import { type ChatModel, type ChatRequest, samplingWith } from '@longhaul/agent';
import type { Asking, ConnectedServer, ServerHandlers } from '@longhaul/servers';
import { features as everything } from '@longhaul/everything';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import type { TaskReference } from '@longhaul/client';
import type { TaskView } from '@longhaul/tasks';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { GENERATIONS, rejection, textOf } from '../../client/support/clients.js';
import { startScriptedServer } from '../../client/support/scripted-server.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { waitUntil } from '../../support/wait-until.js';
import { ServersPlace } from '../../servers/support/servers.js';

const signals: AbortSignal[] = [];
const nameForm = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };
const weather = {
  name: 'weather',
  description: 'Says it',
  inputSchema: { type: 'object' as const, properties: { city: { type: 'string' } } },
};

const own = [
  defineTool({
    name: 'wait',
    description: 'Never answers',
    input: z.object({}),
    run: (_args, { signal }) => {
      signals.push(signal);
      return new Promise<string>(() => undefined);
    },
  }),
  defineTool({
    name: 'count',
    description: 'Reports progress',
    input: z.object({}),
    run: (_args, context) => {
      for (const progress of [1, 2]) context.progress({ progress, total: 2, message: `part ${progress}` });
      return 'counted';
    },
  }),
  defineTool({
    name: 'ask-all',
    description: 'Asks user, model and roots, as a task',
    input: z.object({}),
    task: 'required',
    async run(_args, context) {
      context.status('asking');
      const { content } = await context.elicit({ message: 'Your name?', requestedSchema: nameForm });
      const { content: said } = await context.sample(`Greet ${String(content?.['name'])}`);
      const roots = await context.roots();
      return `${said.type === 'text' ? said.text : said.type} in ${roots.map(({ uri }) => uri).join()}`;
    },
  }),
  defineTool({
    name: 'ask-with-tools',
    description: 'Asks the model, which may use a tool',
    input: z.object({}),
    run: async (_args, context) => {
      const { content, stopReason } = await context.sample('How is the weather?', { tools: [weather] });
      return JSON.stringify({ content, stopReason });
    },
  }),
  defineTool({
    name: 'long-task',
    description: 'A task that does not end by itself',
    input: z.object({}),
    task: 'required',
    async run(_args, context) {
      context.status('resting');
      await context.sleep('rest', 3_600_000);
      return 'rested';
    },
  }),
  defineTool({
    name: 'resumed-task',
    description: 'A task that ends when its question is answered',
    input: z.object({}),
    task: 'required',
    async run(_args, context) {
      const { content } = await context.elicit({ message: 'Your name?', requestedSchema: nameForm });
      return `for ${String(content?.['name'])}`;
    },
  }),
];

const service = serviceForTests({ features: createFeatureRegistry([...everything, ...own]) });
let url: string;
let place: ServersPlace;

beforeAll(async () => {
  url = await service.listen();
});
beforeEach(() => {
  place = new ServersPlace();
});
afterEach(() => place.close());

/** The task that was created last, as it is now. */
async function lastTask(): Promise<TaskView> {
  const task = service.created.at(-1);
  if (task === undefined) throw new Error('No task was created.');
  return service.tasks.get(task.taskId, task);
}

/** A model that answers with what the test says, and keeps what it was asked. */
function model(reply: Partial<Awaited<ReturnType<ChatModel['complete']>>>): ChatModel & { readonly asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    name: 'model-of-the-test',
    takesImages: false,
    asked,
    complete: async (request) => {
      asked.push(request);
      return { content: '', toolCalls: [], mode: 'native', ...reply };
    },
  };
}

describe.each(GENERATIONS)('a server that speaks %s', (protocolVersion) => {
  const connected = (handlers: ServerHandlers = {}, more: object = {}): Promise<ConnectedServer> =>
    place.one({ url, protocolVersion, ...more }, handlers);
  const ada: ServerHandlers['elicitation'] = async () => ({ action: 'accept', content: { name: 'Ada' } });

  it('has user, model and folders, and those who answer know who asks', async () => {
    const asking: (Partial<Asking> & { readonly what: string })[] = [];
    const note = (what: string, { server, callId, tool }: Asking): void =>
      void asking.push({ what, server, ...(callId !== undefined && { callId }), ...(tool !== undefined && { tool }) });
    const greeter = model({ content: 'Hello Ada' });
    const server = await connected({
      roots: (who) => {
        note('roots', who);
        return [{ uri: 'file:///work' }];
      },
      elicitation: async (_params, who) => {
        note('elicitation', who);
        return { action: 'accept', content: { name: 'Ada' } };
      },
      sampling: samplingWith({
        model: greeter,
        maxTokens: 100,
        approve: async (_messages, who) => {
          note('sampling', who);
          return true;
        },
      }),
    });
    const statuses: (string | undefined)[] = [];
    const options = {
      callId: 'call-1',
      onStatus: ({ statusMessage }: { readonly statusMessage?: string }) => void statuses.push(statusMessage),
    };
    expect(textOf(await server.callTool('ask-all', {}, options))).toBe('Hello Ada in file:///work');
    expect(statuses).toContain('asking');
    const who = { server: 'tested', callId: 'call-1', tool: 'ask-all' };
    expect(asking).toEqual(['elicitation', 'sampling', 'roots'].map((what) => ({ what, ...who })));
    expect(greeter.asked).toEqual([{ messages: [{ role: 'user', content: 'Greet Ada' }], tools: [], maxTokens: 100 }]);
  });

  it('may offer tools to the model that it asks', async () => {
    const call = { id: 'c1', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Tokyo"}' } };
    const caller = model({ toolCalls: [call] });
    const server = await connected({ sampling: samplingWith({ model: caller, maxTokens: 5_000, approve: async () => true }) });
    expect(JSON.parse(String(textOf(await server.callTool('ask-with-tools', {}))))).toEqual({
      content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Tokyo' } }],
      stopReason: 'toolUse',
    });
    expect(caller.asked).toMatchObject([{ tools: [{ name: 'weather', parameters: weather.inputSchema }], maxTokens: 1_000 }]);
  });

  it('does not get the model when the person refuses, and no task waits for it', async () => {
    const never = model({});
    const server = await connected({
      roots: () => [],
      elicitation: ada,
      sampling: samplingWith({ model: never, maxTokens: 100, approve: async () => false }),
    });
    const outcome = await server.callTool('ask-all', {}).then(
      ({ isError }) => ({ isError }),
      (error: unknown) => error,
    );
    if (protocolVersion === '2025-11-25') expect(outcome).toEqual({ isError: true });
    else expect(outcome).toMatchObject({ message: 'The user does not allow the server to ask the model.' });
    expect(never.asked).toEqual([]);
    await waitUntil(async () => (await lastTask()).ending !== undefined, { description: 'the task has ended' });
  });

  it('has its call made again when the person has visited the page that it wants visited', async () => {
    const visited: string[] = [];
    const server = await connected({
      elicitation: async (params) => {
        visited.push(params.mode === 'url' ? params.url : params.message);
        return { action: 'accept' };
      },
    });
    const result = await server.callTool('trigger-url-elicitation', { url: `https://page.example/${protocolVersion}`, errorPath: true });
    expect(visited).toEqual(['https://modelcontextprotocol.io', `https://page.example/${protocolVersion}`]);
    expect(textOf(result)).toContain('User completed the URL elicitation flow');
  });

  it('hears of a call that is cancelled, and of a task', async () => {
    const server = await connected();
    const abort = new AbortController();
    const before = signals.length;
    const created = service.created.length;
    const calls = ['wait', 'long-task'].map((tool) => rejection(server.callTool(tool, {}, { signal: abort.signal })));
    await waitUntil(() => signals.length > before && service.created.length > created, { description: 'both run' });
    abort.abort(new Error('not needed'));
    expect(await Promise.all(calls)).toMatchObject([{ message: 'not needed' }, { message: 'not needed' }]);
    await waitUntil(() => signals.at(-1)?.aborted, { description: 'the call is cancelled' });
    await waitUntil(async () => (await lastTask()).ending?.kind === 'cancelled', { description: 'the task is cancelled' });
  });

  it('says how far it is', async () => {
    const { toolbox } = await place.open({ tested: { url, protocolVersion } });
    const tool = toolbox.tools.find(({ name }) => name === 'count');
    if (tool === undefined) throw new Error('There is no such tool.');
    const said: string[] = [];
    const options = { signal: new AbortController().signal, onProgress: (message: string) => void said.push(message) };
    expect(textOf(await toolbox.call({ id: 'call-1', tool, arguments: {} }, options))).toBe('counted');
    expect(said).toEqual(['1 of 2: part 1', '2 of 2: part 2']);
  });

  it('has its task taken up by another connection', async () => {
    const reference = Promise.withResolvers<TaskReference>();
    const first = await connected({ elicitation: () => new Promise(() => undefined) });
    const left = rejection(first.callTool('resumed-task', {}, { onTask: reference.resolve }));
    const taken = JSON.parse(JSON.stringify(await reference.promise)) as TaskReference;
    await first.close();
    expect(await left).toMatchObject({ name: 'ClientClosedError' });
    const second = await connected({ elicitation: ada });
    expect(textOf(await second.resumeTask(taken))).toBe('for Ada');
  });
});

describe('a server that changes its tools', () => {
  const tool = (name: string) => defineTool({ name, description: 'Changes', input: z.object({}), run: () => 'done' });
  const listeners = new Set<() => void>();
  let changing = [tool('before')];
  const source = {
    get features() {
      return changing;
    },
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const changed = serviceForTests({ features: createFeatureRegistry(source) });
  let at: string;
  beforeAll(async () => {
    at = await changed.listen();
  });

  it.each(GENERATIONS)('is listed again in %s', async (protocolVersion) => {
    const server = await place.one({ url: at, protocolVersion });
    const name = `after-${protocolVersion}`;
    let changes = 0;
    // Its client may not listen yet.
    await waitUntil(
      () => {
        changes += 1;
        changing = [tool('before'), tool(name), tool(`change-${changes}`)];
        for (const listener of listeners) listener();
        return server.tools.some((each) => each.name === name);
      },
      { description: 'the list is read again' },
    );
    expect(place.reported('list-changed').length).toBeGreaterThan(0);
  });
});

describe('a URL', () => {
  it('may answer with 20 MB, and not with 40', async () => {
    const sizes = { small: 20_000_000, large: 40_000_000 };
    const tools = Object.keys(sizes).map((name) => ({ name, inputSchema: { type: 'object' } }));
    const scripted = await startScriptedServer(({ method, params, result }) => {
      if (method === 'initialize') {
        result({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'large', version: '1' } });
        return true;
      }
      if (method === 'tools/list') return result({ tools });
      if (method !== 'tools/call') return false;
      return result({ content: [{ type: 'text', text: 'x'.repeat(sizes[params['name'] as keyof typeof sizes]) }] });
    });
    try {
      const server = await place.one({ url: scripted.url });
      expect(String(textOf(await server.callTool('small', {}))).length).toBe(20_000_000);
      expect(await rejection(server.callTool('large', {}))).toMatchObject({
        message: 'the server sent a message of more than 33554432 bytes',
      });
      expect(scripted.requests('tools/call')).toHaveLength(2);
    } finally {
      await scripted.close();
    }
  });

  it('gets the headers of its server, and no others of it', async () => {
    const scripted = await startScriptedServer(({ status }) => status(401));
    try {
      const error = await rejection(place.one({ url: `${scripted.url}?key=hush`, headers: { Authorization: 'Bearer own' } }));
      expect(error).toMatchObject({ name: 'ServerAuthError' });
      expect((error as Error).message).toContain('The server "tested" ');
      expect((error as Error).message).not.toContain('hush');
      expect(scripted.requests('server/discover')[0]?.headers).toMatchObject({ authorization: 'Bearer own' });
    } finally {
      await scripted.close();
    }
  });

  it('that does not answer is given up', async () => {
    const scripted = await startScriptedServer(() => true);
    try {
      const error = await rejection(place.one({ url: scripted.url, startTimeoutMs: 300 }));
      expect(error).toMatchObject({ message: `The server "tested" did not start: ${scripted.url}: no answer came within 300 ms` });
    } finally {
      await scripted.close();
    }
  });

  it('where nobody listens is said to be so', async () => {
    const scripted = await startScriptedServer(() => true);
    await scripted.close();
    expect(String(await rejection(place.one({ url: scripted.url })))).toContain('ECONNREFUSED');
  });
});

describe('several servers', () => {
  it('have tools with names of their own, and are asked for as each of them says', async () => {
    const { toolbox, policyOf } = await place.open({
      one: { url, tools: ['count', 'echo'], ask: { echo: 'never', '*': 'always' } },
      two: { url, tools: ['count', 'wait'] },
    });
    expect(toolbox.tools.map((tool) => [tool.name, policyOf(tool)])).toEqual([
      ['echo', 'never'],
      ['one_count', 'always'],
      ['wait', 'writes'],
      ['two_count', 'writes'],
    ]);
  });
});
