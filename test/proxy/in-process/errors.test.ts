/** Tests what becomes of a task behind a proxy when its server answers with an error, or does not know its own task any more. */
import { afterEach, describe, expect, it } from 'vitest';
import { Clients, GENERATIONS, KNOWN_CALLER, rejection, textOf } from '../../client/support/clients.js';
import { type Exchange, firstOf, greeting2025, methods, startScriptedServer, task2025 } from '../../client/support/scripted-server.js';
import { Proxies } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
const after: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  await clients.close();
  await proxies.close();
  for (const end of after.splice(0)) await end();
});

/** A server whose tool `work` is a task for clients, before which it stands. */
async function behind(answers: Readonly<Record<string, (exchange: Exchange) => unknown>>) {
  const upstream = await startScriptedServer(firstOf(methods(answers), greeting2025));
  after.push(() => upstream.close());
  const { url } = await proxies.serve({ remote: { url: upstream.url } });
  return { upstream, url };
}

const working = ({ result }: Exchange): void => result({ task: task2025('working') });
const failing = ({ error }: Exchange): void => error(-32_010, 'The shelf is empty.', { shelf: 7 });

describe.each(GENERATIONS)('a task of a client of %s', (generation) => {
  it.each([
    ['a call', { 'tools/call': failing }],
    ['a task', { 'tools/call': working, 'tasks/get': ({ result }: Exchange) => result(task2025('failed')), 'tasks/result': failing }],
  ])('ends with the error with which its server has ended %s', async (_what, answers) => {
    const { url } = await behind(answers);
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    const statuses: string[] = [];
    const error = await rejection(client.callTool('remote__work', {}, { onStatus: ({ status }) => statuses.push(status) }));
    expect(error).toMatchObject({ code: -32_010, message: 'The shelf is empty.', data: { shelf: 7 } });
    expect(statuses.at(-1)).toBe('failed');
  });

  it('ends with the result of its server that is an error', async () => {
    const result = { isError: true, content: [{ type: 'text', text: 'no' }] };
    const { url } = await behind({ 'tools/call': (exchange) => exchange.result(result) });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    expect(await client.callTool('remote__work', {})).toMatchObject(result);
  });

  it('ends as MAY_HAVE_HAPPENED when its server does not know its own task any more', async () => {
    const { url, upstream } = await behind({
      'tools/call': working,
      'tasks/get': ({ error }) => error(-32_602, 'Task not found'),
    });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    const { isError, content } = await client.callTool('remote__work', {});
    expect([isError, textOf({ content })]).toEqual([true, expect.stringMatching(/^MAY_HAVE_HAPPENED: .*does not know the task of work/)]);
    expect(upstream.requests('tools/call')).toHaveLength(1);
  });
});
