/** Tests what a proxy passes on besides lists and results: instructions, names, icons and logs of servers. */
import { afterEach, describe, expect, it } from 'vitest';
import { Clients, GENERATIONS, KNOWN_CALLER, textOf } from '../../client/support/clients.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
afterEach(async () => {
  await clients.close();
  await proxies.close();
});

const introduced = (instructions: string, more = ''): object =>
  oddServer({
    answers: `if (method === 'initialize') return { ...usual.initialize, instructions: ${JSON.stringify(instructions)},
      serverInfo: { name: 'theirs', title: 'Theirs', version: '7', icons: [{ src: 'https://theirs.example/icon.png' }] }, ${more} };`,
  });

describe.each(GENERATIONS)('a client of %s', (generation) => {
  it('reads the instructions of all servers, each with the names of its tools', async () => {
    const { url } = await proxies.serve({ one: introduced('Do this.'), two: introduced('Do that.'), silent: oddServer({}) });
    const { client } = await clients.connect(url, { generation });
    expect(client.getInstructions()).toBe('one__* (server "one"):\nDo this.\n\ntwo__* (server "two"):\nDo that.');
    expect(client.getServerVersion()).toMatchObject({ name: 'longhaul' });
  });

  it('sees a server that is alone as itself', async () => {
    const { url } = await proxies.serve({ one: introduced('Do this.') }, { isAlone: true });
    const { client } = await clients.connect(url, { generation });
    expect(client.getInstructions()).toBe('Do this.');
    expect(client.getServerVersion()).toMatchObject({
      name: 'theirs',
      title: 'Theirs',
      version: '7',
      icons: [{ src: 'https://theirs.example/icon.png' }],
    });
  });

  it('receives the log of a server at its level, also of a task, and that of nobody else', async () => {
    const logging = oddServer(
      {
        answers: `if (method === 'initialize') return { ...usual.initialize, capabilities: { tools: {}, logging: {} } };
          if (method === 'logging/setLevel') return {};
          if (method === 'tools/list') return { tools: ['quick', 'slow'].map(tool) };
          if (method !== 'tools/call') return;
          const log = (level, data, logger) => say({ method: 'notifications/message', params: { level, data, logger } });
          log('debug', 'a detail of ' + params.arguments.who);
          log('warning', { careful: params.arguments.who }, 'disk');
          log('error', 'x'.repeat(100000));`,
      },
      { tools: { quick: { task: 'forbidden' }, slow: { task: 'optional' } } },
    );
    // In 2026-07-28 what a task logs has no request on whose stream it could come, once the call is answered with the task.
    const tools = generation === '2026-07-28' ? ['quick'] : ['quick', 'slow'];
    const { url } = await proxies.serve({ logging });
    const heard: Record<string, { level: string; logger?: string | undefined; data: unknown }[]> = { Ada: [], Bob: [] };
    const ready = Object.keys(heard).map(async (who) => {
      const secret = { 'longhaul-caller-secret': `a-secret-of-${who}-alone-000000000000000001` };
      const client = await clients.connect(url, { generation, transport: { requestInit: { headers: secret } } });
      client.client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
        heard[who]?.push({ level, logger, data });
      });
      const meta = generation === '2026-07-28' ? { 'io.modelcontextprotocol/logLevel': 'info' } : {};
      for (const tool of tools) expect(textOf(await client.callTool(`logging__${tool}`, { who }, { meta }))).toBe('done');
    });
    await Promise.all(ready);
    for (const [who, messages] of Object.entries(heard)) {
      await waitUntil(() => messages.length >= 2 * tools.length, { description: 'all is heard' });
      expect(messages.filter(({ level }) => level === 'warning')).toEqual(
        tools.map(() => ({ level: 'warning', logger: 'logging/disk', data: { careful: who } })),
      );
      const cut = messages.find(({ level }) => level === 'error');
      expect([cut?.logger, String(cut?.data)]).toEqual(['logging', expect.stringMatching(/^"x+\n\[\d+ more bytes are left out\]$/)]);
      expect(messages.some(({ level }) => level === 'debug')).toBe(false);
    }
  });
});

describe('a server that all callers share', () => {
  it('logs to none of them', async () => {
    const logging = oddServer(
      {
        answers: `if (method === 'tools/call') say({ method: 'notifications/message', params: { level: 'error', data: 'of somebody' } });`,
      },
      { sessions: 'shared', tools: { work: { task: 'forbidden' } } },
    );
    const { url } = await proxies.serve({ logging });
    const client = await clients.connect(url, { generation: '2025-11-25', transport: KNOWN_CALLER });
    const heard: unknown[] = [];
    client.client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params));
    for (const _call of [1, 2]) expect(textOf(await client.callTool('logging__work', {}))).toBe('done');
    expect(heard).toEqual([]);
  });
});
