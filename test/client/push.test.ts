/** Tests how soon a change of a task arrives: by push if the server can, and otherwise after its poll interval. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../support/gateway/gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { Clients, GENERATIONS, named, textOf } from './support/clients.js';
import {
  acknowledgement,
  done,
  type Exchange,
  firstOf,
  greeting2025,
  greeting2026,
  methods,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  task2025,
  task2026,
} from './support/scripted-server.js';
import { clientTools } from './support/tools.js';

const { features } = clientTools();
const clients = new Clients();
let url: string;
let server: ScriptedServer | undefined;

const service = serviceForTests({ features });
beforeAll(async () => {
  url = await service.listen();
});
afterEach(async () => {
  await clients.close();
  await server?.close();
  server = undefined;
});

async function scripted(...scripts: Script[]): Promise<ScriptedServer> {
  server = await startScriptedServer(firstOf(...scripts), { acceptsStandaloneStreams: true });
  return server;
}

const created2026 = methods({ 'tools/call': ({ result }) => result({ resultType: 'task', ...task2026('working') }) });
const working2026 = methods({ 'tasks/get': ({ result }) => result({ resultType: 'complete', ...task2026('working') }) });

describe.each(GENERATIONS)('at a gateway, in generation %s', (generation) => {
  it('the end of a task comes without waiting for a poll', async () => {
    const client = await clients.connect(url, { generation });
    expect(textOf(await client.callTool('work', { ms: 300 }))).toBe('worked 300 ms');
  });

  it('questions come and answers go without waiting for a poll', async () => {
    const client = await clients.connect(url, { generation, onInput: named('Ada') });
    expect(textOf(await client.callTool('ask-late'))).toBe('Ada and Ada');
  });
});

describe('push in generation 2026-07-28', () => {
  it('ends a task though polls are an hour apart, with one look after the acknowledgement', async () => {
    const { url, requests } = await scripted(
      greeting2026,
      created2026,
      working2026,
      methods({
        'subscriptions/listen': (exchange) => {
          const stream = exchange.stream(acknowledgement(exchange));
          setTimeout(() => stream.send({ method: 'notifications/tasks', params: task2026('completed', { result: done() }) }), 300);
        },
      }),
    );
    const client = await clients.connect(url);
    expect(textOf(await client.callTool('work'))).toBe('done');
    expect(requests('tasks/get')).toHaveLength(1);
  });

  it('misses nothing that happens before the acknowledgement', async () => {
    const { url } = await scripted(
      greeting2026,
      created2026,
      methods({
        'tasks/get': ({ result }) => result({ resultType: 'complete', ...task2026('completed', { result: done('meanwhile') }) }),
        'subscriptions/listen': (exchange) => exchange.stream(acknowledgement(exchange)),
      }),
    );
    const client = await clients.connect(url);
    expect(textOf(await client.callTool('work'))).toBe('meanwhile');
  });

  it('comes on one stream for all tasks of the client, which ends with the last one', async () => {
    const streams: Exchange[] = [];
    const open: ReturnType<Exchange['stream']>[] = [];
    let created = 0;
    const { url, requests } = await scripted(
      greeting2026,
      methods({
        'tools/call': ({ result }) => result({ resultType: 'task', ...task2026('working', { taskId: `task-${++created}` }) }),
        'tasks/get': ({ result, params }) => result({ resultType: 'complete', ...task2026('working', { taskId: params['taskId'] }) }),
        'subscriptions/listen': (exchange) => {
          streams.push(exchange);
          open.push(exchange.stream(acknowledgement(exchange)));
        },
      }),
    );
    const client = await clients.connect(url);
    const calls = Promise.all(['a', 'b', 'c'].map((name) => client.callTool(name)));
    const wanted = (): unknown => (streams.at(-1)?.params['notifications'] as { taskIds: string[] } | undefined)?.taskIds.length;
    await waitUntil(() => wanted() === 3, { description: 'one stream is for three tasks' });
    await waitUntil(() => requests('tasks/get').length >= 3, { description: 'all are looked at' });
    for (const taskId of ['task-1', 'task-2', 'task-3'])
      open.at(-1)?.send({ method: 'notifications/tasks', params: task2026('completed', { taskId, result: done(taskId) }) });
    expect((await calls).map(textOf)).toEqual(['task-1', 'task-2', 'task-3']);
    expect(streams.length).toBeLessThanOrEqual(3);
  });

  it('is opened again when its stream breaks, and what was missed is looked up', async () => {
    let listened = 0;
    const { url, requests } = await scripted(
      greeting2026,
      created2026,
      methods({
        'tasks/get': ({ result }) =>
          result({ resultType: 'complete', ...(listened > 1 ? task2026('completed', { result: done() }) : task2026('working')) }),
        'subscriptions/listen': (exchange) => {
          listened += 1;
          const stream = exchange.stream(acknowledgement(exchange));
          if (listened === 1) setTimeout(() => stream.cut(), 50);
        },
      }),
    );
    const client = await clients.connect(url);
    expect(textOf(await client.callTool('work'))).toBe('done');
    expect(requests('subscriptions/listen')).toHaveLength(2);
  });

  it('that comes late does not undo what is known already', async () => {
    const stale = task2026('working', { statusMessage: 'stale' });
    const { url } = await scripted(
      greeting2026,
      created2026,
      methods({
        'tasks/get': ({ result }) =>
          result({ resultType: 'complete', ...task2026('working', { statusMessage: 'fresh', pollIntervalMs: 100 }) }),
        'subscriptions/listen': (exchange) => {
          const stream = exchange.stream(acknowledgement(exchange));
          setTimeout(() => stream.send({ method: 'notifications/tasks', params: stale }), 50);
          setTimeout(() => stream.send({ method: 'notifications/tasks', params: task2026('completed', { result: done() }) }), 150);
        },
      }),
    );
    const reported: unknown[] = [];
    const client = await clients.connect(url);
    await client.callTool('work', {}, { onStatus: ({ statusMessage }) => void reported.push(statusMessage) });
    expect(reported).toContain('fresh');
    expect(reported).not.toContain('stale');
  });
});

describe('without push, in generation 2026-07-28', () => {
  it.each<[string, Script]>([
    [
      'which does not know the method',
      methods({ 'subscriptions/listen': ({ error }) => error(-32_601, 'Method not found', undefined, 404) }),
    ],
    ['which leaves tasks out', methods({ 'subscriptions/listen': (exchange) => exchange.stream(acknowledgement(exchange, {})) })],
    ['which ends at once', methods({ 'subscriptions/listen': (exchange) => exchange.stream().result({ resultType: 'complete' }) })],
  ])('a server %s is polled as often as it wants, as it changes its mind', async (_name, listen) => {
    const intervals = [120, 240];
    const { url, requests } = await scripted(
      greeting2026,
      listen,
      methods({
        'tools/call': ({ result }) => result({ resultType: 'task', ...task2026('working', { pollIntervalMs: 60 }) }),
        'tasks/get': ({ result }) => {
          const pollIntervalMs = intervals.shift();
          const task = pollIntervalMs === undefined ? task2026('completed', { result: done() }) : task2026('working', { pollIntervalMs });
          result({ resultType: 'complete', ...task });
        },
      }),
    );
    const client = await clients.connect(url);
    const startedAt = performance.now();
    expect(textOf(await client.callTool('work'))).toBe('done');
    const polls = requests('tasks/get').map(({ at }) => at);
    const gaps = polls.map((at, index) => at - (polls[index - 1] ?? startedAt));
    expect(gaps).toHaveLength(3);
    for (const [index, wanted] of [60, 120, 240].entries()) expect(gaps[index]).toBeGreaterThanOrEqual(wanted - 5);
  });
});

describe('push in generation 2025-11-25', () => {
  it('ends a task though polls are an hour apart', async () => {
    const script = methods({
      'tools/call': ({ result }) => {
        result({ task: task2025('working') });
        setTimeout(() => server?.standalone[0]?.send({ method: 'notifications/tasks/status', params: task2025('completed') }), 300);
      },
      'tasks/get': ({ result }) => result(task2025('working')),
      'tasks/result': ({ result }) => result(done()),
    });
    const { url, requests, standalone } = await scripted(greeting2025, script);
    const client = await clients.connect(url);
    await waitUntil(() => standalone.length === 1, { description: 'the standalone stream is open' });
    expect(textOf(await client.callTool('work'))).toBe('done');
    expect(requests('tasks/get')).toHaveLength(1);
  });

  it('is not needed: a server without it is polled as often as it wants', async () => {
    let polls = 0;
    const { url, requests } = await scripted(
      greeting2025,
      methods({
        'tools/call': ({ result }) => result({ task: task2025('working') }),
        'tasks/get': ({ result }) => result(task2025(++polls < 4 ? 'working' : 'completed', { pollInterval: 100 })),
        'tasks/result': ({ result }) => result(done()),
      }),
    );
    const client = await clients.connect(url);
    expect(textOf(await client.callTool('work'))).toBe('done');
    const at = requests('tasks/get').map((exchange) => exchange.at);
    expect(at).toHaveLength(4);
    expect(at[3]! - at[0]!).toBeGreaterThanOrEqual(290);
  });
});
