/** Tests that nothing goes on at a server when the task of its call is cancelled, in whichever moment that is. */
import { afterEach, describe, expect, it } from 'vitest';
import { Clients, GENERATIONS, KNOWN_CALLER, rejection } from '../../client/support/clients.js';
import {
  type Exchange,
  firstOf,
  greeting2025,
  greeting2026,
  methods,
  startScriptedServer,
  task2025,
  task2026,
} from '../../client/support/scripted-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
const after: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  await clients.close();
  await proxies.close();
  for (const end of after.splice(0)) await end();
});

const work = { name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } };

/** What a server of each protocol version says of its task. */
const SERVERS = {
  '2025-11-25': {
    greeting: greeting2025,
    create: ({ result }: Exchange) => result({ task: task2025('working') }),
    get: ({ result }: Exchange) => result(task2025('working', { statusMessage: 'Half of it is done.' })),
    cancelled: ({ result }: Exchange) => result(task2025('cancelled')),
  },
  '2026-07-28': {
    greeting: greeting2026,
    create: ({ result }: Exchange) => result({ resultType: 'task', ...task2026('working') }),
    get: ({ result }: Exchange) => result({ resultType: 'complete', ...task2026('working', { statusMessage: 'Half of it is done.' }) }),
    cancelled: ({ result }: Exchange) => result({ resultType: 'complete' }),
  },
} as const;

/** A server that holds what the test wants to answer. */
async function holding(version: keyof typeof SERVERS, sessions: string, held: 'tools/list' | 'tools/call' | undefined) {
  const { greeting, create, get, cancelled } = SERVERS[version];
  const waiting: Exchange[] = [];
  let holds = false;
  const list = ({ result }: Exchange): void => result({ tools: [work], resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
  const table = {
    'tools/list': (exchange: Exchange) => (holds && held === 'tools/list' ? waiting.push(exchange) : list(exchange)),
    'tools/call': (exchange: Exchange) => (holds && held === 'tools/call' ? waiting.push(exchange) : create(exchange)),
    'tasks/get': get,
    'tasks/cancel': cancelled,
  };
  const upstream = await startScriptedServer(firstOf(methods(table), greeting));
  after.push(() => upstream.close());
  const served = await proxies.serve({ remote: { url: upstream.url, sessions } });
  holds = true;
  const release = (): void => {
    holds = false;
    for (const exchange of waiting) (exchange.method === 'tools/list' ? list : create)(exchange);
  };
  return { upstream, served, waiting, release };
}

/** Begins a call, waits for the moment, and cancels it. */
async function cancelled(
  url: string,
  generation: (typeof GENERATIONS)[number],
  moment: (messages: readonly string[]) => boolean,
): Promise<void> {
  const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
  const abort = new AbortController();
  const messages: string[] = [];
  const onStatus = ({ statusMessage = '' }): void => void messages.push(statusMessage);
  const called = rejection(client.callTool('remote__work', {}, { signal: abort.signal, onStatus }));
  await waitUntil(() => moment(messages), { description: 'the moment has come' });
  abort.abort(new Error('not needed'));
  expect(await called).toMatchObject({ message: 'not needed' });
}

const CASES = GENERATIONS.flatMap((generation) =>
  (Object.keys(SERVERS) as (keyof typeof SERVERS)[]).flatMap((version) =>
    ['perSession', 'perCall'].map((sessions) => ({ generation, version, sessions })),
  ),
);

describe.each(CASES)(
  'a task of $generation that is cancelled, at a server of $version with $sessions',
  ({ generation, version, sessions }) => {
    it('while the server has not said which task it is: that is cancelled as soon as it does', async () => {
      const { upstream, served, waiting, release } = await holding(version, sessions, 'tools/call');
      await cancelled(served.url, generation, () => waiting.length > 0);
      release();
      await waitUntil(() => upstream.requests('tasks/cancel').length > 0, { description: 'the task of the server is cancelled' });
      expect(upstream.requests('tasks/cancel')[0]?.params['taskId']).toBe('task-1');
      expect(upstream.requests('tools/call')).toHaveLength(1);
    });

    it('before the call is made: it is not made', async () => {
      const { upstream, served, waiting, release } = await holding(version, 'perCall', 'tools/list');
      await cancelled(served.url, generation, () => waiting.length > 0);
      release();
      await served.service.close();
      expect(upstream.requests('tools/call')).toEqual([]);
    });
  },
);

describe.each(GENERATIONS)('a task that is cancelled, at a server of %s', (version) => {
  it('while it is followed: its task is cancelled, and its words were passed on', async () => {
    const { upstream, served } = await holding(version, 'perSession', undefined);
    await cancelled(served.url, '2026-07-28', (messages) => messages.some((text) => text.endsWith('Half of it is done.')));
    await waitUntil(() => upstream.requests('tasks/cancel').length > 0, { description: 'the task of the server is cancelled' });
    expect(upstream.requests('tools/call')).toHaveLength(1);
  });
});
