/** Tests servers that do harm, by mistake or on purpose: the calls of another server behind the same proxy go on. */
import { afterEach, describe, expect, it } from 'vitest';
import { Clients, textOf } from '../../client/support/clients.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies, type ServedProxy } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
afterEach(async () => {
  await clients.close();
  await proxies.close();
});

/** Calls that are made while the other server does what it does. */
const CALLS = 8;
const QUICK = { tools: { work: { task: 'forbidden' } } };

/** A good server beside a bad one, and the good one's calls within requests and as tasks. */
async function beside(bad: object): Promise<ServedProxy & { callGood(): Promise<void>; callBad(): Promise<unknown> }> {
  const good = oddServer({}, { ...QUICK, sessions: 'shared' });
  const tasks = oddServer({}, { tools: { work: { task: 'required' } }, sessions: 'shared' });
  const served = await proxies.serve({ bad, good, tasks }, { waitMs: 100 });
  await waitUntil(() => ['good__work', 'tasks__work'].every((name) => served.features.tool(name) !== undefined), {
    description: 'the good servers are listed',
  });
  const client = await clients.connect(served.url, { generation: '2025-11-25' });
  return {
    ...served,
    async callGood() {
      const names = Array.from({ length: CALLS }, (_, index) => (index % 2 === 0 ? 'good__work' : 'tasks__work'));
      const texts = await Promise.all(names.map(async (name) => textOf(await client.callTool(name, {}))));
      expect(texts).toEqual(names.map(() => 'done'));
    },
    callBad: () => client.callTool('bad__work', {}).then(textOf, String),
  };
}

/** Does it again and again, without an end. */
const always = (what: string): string => `const again = () => { ${what}; setTimeout(again, 1); }; setTimeout(again, 100);`;
/** For each millisecond, ten. */
const flood = (message: string): string => always(`for (let i = 0; i < 10; i += 1) say(${message})`);

describe('the calls of a server go on while another one', () => {
  it.each([
    [
      'reports progress of nobody 10,000 times a second',
      flood(`{ method: 'notifications/progress', params: { progressToken: 'x', progress: i } }`),
    ],
    ['says 10,000 times a second that its tools have changed', flood(`{ method: 'notifications/tools/list_changed' }`)],
    ['answers requests of nobody 10,000 times a second', flood(`{ id: 'nobody ' + i, result: {} }`)],
    [
      'asks 10,000 questions a second',
      flood(`{ id: 'q' + Math.random(), method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }`),
    ],
    ['floods its output with what are no messages', always(`write('[banner] '.repeat(2000) + '\\n')`)],
    ['floods its standard error', always(`process.stderr.write('noise '.repeat(2000) + '\\n')`)],
  ])('%s', async (_what, first) => {
    const { callGood, callBad } = await beside(oddServer({ first }, { ...QUICK, sessions: 'shared' }));
    // How its own calls end is its own affair.
    void callBad();
    await callGood();
  });

  it('never answers initialize', async () => {
    const bad = oddServer(
      { answers: `if (method === 'initialize' || method === 'server/discover') return 'none';` },
      { startTimeoutMs: 1_000 },
    );
    const { callGood, features, warnings } = await beside(bad);
    await callGood();
    await waitUntil(() => warnings.some((line) => line.startsWith('Server "bad" is away')), { description: 'it is said' });
    expect(features.tools.map(({ name }) => name)).toEqual(['good__work', 'tasks__work']);
  });

  it.each(['forbidden', 'required'])('answers with 50 MB, which is refused by its name (task: %s)', async (task) => {
    const answers = `if (method === 'tools/call') return { content: [{ type: 'text', text: 'x'.repeat(50e6) }] };`;
    const { callGood, callBad, features } = await beside(oddServer({ answers }, { tools: { work: { task } } }));
    await waitUntil(() => features.tool('bad__work') !== undefined, { description: 'it is listed' });
    const [said] = await Promise.all([callBad(), callGood()]);
    expect(String(said)).toContain(
      'The server "bad" is gone: its process was ended, because the server sent a message of more than 33554432 bytes',
    );
  });
});

describe('what a server lists', () => {
  it('is left out where it is too large or nested without end, and is served where it refers to itself', async () => {
    const { features, warnings, callGood } = await beside(
      oddServer({
        answers: `if (method !== 'tools/list') return;
          const deep = (levels) => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
          return { tools: [
            { ...tool('huge'), description: 'x'.repeat(300000) },
            { ...tool('wide'), inputSchema: { type: 'object', properties: Object.fromEntries(Array.from({ length: 50000 }, (_, i) => ['p' + i, {}])) } },
            { ...tool('deep'), inputSchema: { type: 'object', properties: { a: deep(3000) } } },
            { ...tool('self'), inputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
          ] };`,
      }),
    );
    await waitUntil(() => features.tool('bad__self') !== undefined, { description: 'it is listed' });
    const names = features.tools.map(({ name }) => name);
    expect(names).not.toContain('bad__huge');
    expect(names).not.toContain('bad__wide');
    expect(names).not.toContain('bad__deep');
    expect(warnings.join('\n')).toContain('"deep" is left out: it is nested deeper than 256 levels');
    expect(warnings.join('\n')).toContain('tools/list has "huge", "wide" left out: an entry has at most 262144 bytes');
    await callGood();
  });

  it('has names that no terminal obeys, in the log as well', async () => {
    const evil = '\u001b[2J\u202eevil\u0007';
    const { features, warnings } = await beside(
      oddServer({
        answers: `if (method === 'initialize') return { ...usual.initialize, capabilities: { tools: {}, resources: {} } };
          if (method === 'tools/list') return { tools: [tool(${JSON.stringify(evil)}), tool(${JSON.stringify(evil)})] };
          if (method === 'resources/list') return { resources: [{ uri: 'a://' + ${JSON.stringify(evil)}.repeat(9000), name: 'x' }] };`,
      }),
    );
    await waitUntil(() => features.tools.length === 3, { description: 'its tool is listed' });
    expect(features.tools.find(({ name }) => name.startsWith('bad'))?.name).toMatch(/^bad__[\w-]+_[0-9a-f]{8}$/);
    const lines = warnings.filter((line) => line.includes('evil'));
    expect(lines.length).toBeGreaterThan(1);
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });
});
