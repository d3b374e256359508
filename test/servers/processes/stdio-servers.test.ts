/** Tests servers of an agent that are processes: their input, their messages, and that nothing of them is left. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ConnectedServer } from '@longhaul/servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alive } from '../../cli/support/launcher.js';
import { GENERATIONS, rejection, textOf } from '../../client/support/clients.js';
import { waitUntil } from '../../support/wait-until.js';
import { ServersPlace } from '../support/servers.js';

const REFERENCE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const LONGHAUL = fileURLToPath(new URL('../../../bin/longhaul.mjs', import.meta.url));

let place: ServersPlace;
beforeEach(() => {
  place = new ServersPlace();
});
afterEach(() => place.close());

/** Speaks the older version by hand, declares a log and refuses to set its level. */
const WITHOUT_LEVELS = `
  const send = (id, answer) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
  };
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = results[method];
    if (id !== undefined) send(id, result ? { result } : { error: { code: -32601, message: 'no such method' } });
  });`;

/** A server that is a script. */
const script = (code: string, more: object = {}): object => ({ command: process.execPath, args: ['-e', code], ...more });

async function toolText(server: ConnectedServer, tool: string, args: object = {}): Promise<string> {
  return String(textOf(await server.callTool(tool, { ...args })));
}

describe.each(GENERATIONS)('a process that speaks %s', (protocolVersion) => {
  const connected = (more: Readonly<Record<string, unknown>> = {}, handlers = {}): Promise<ConnectedServer> =>
    place.one(place.stdio({ protocolVersion, ...more }), handlers);

  it('lists its tools and is called', async () => {
    const server = await connected();
    expect(server.client.generation).toBe(protocolVersion);
    expect(server.instructions).toBe('Use echo for echoes.');
    expect(await toolText(server, 'echo', { message: 'hello' })).toBe('hello');
    expect(place.reported('connected')).toEqual([{ type: 'connected', server: 'tested', protocolVersion, tools: server.tools.length }]);
  });

  it('has the tools that it adds', async () => {
    const server = await connected();
    const before = server.tools;
    await server.callTool('add_tool', {});
    await waitUntil(() => place.reported('list-changed').length > 0, { description: 'the list is read again' });
    expect(server.tools).toHaveLength(before.length + 1);
    expect(await toolText(server, 'added')).toBe('it was added');
  });

  it('hears of a call that is cancelled', async () => {
    const server = await connected();
    const abort = new AbortController();
    const called = rejection(server.callTool('wait', {}, { signal: abort.signal }));
    await place.noted('waiting');
    abort.abort(new Error('not needed'));
    expect(await called).toMatchObject({ message: 'not needed' });
    await place.noted('cancelled');
  });

  it('hears of a call that takes longer than it may', async () => {
    const server = await connected({ timeoutMs: 300 });
    expect(await rejection(server.callTool('wait', {}))).toMatchObject({
      message: 'The server "tested" did not answer within 300 ms; the call was cancelled.',
    });
    await place.noted('cancelled');
  });

  it('logs at the level that is asked for, and above', async () => {
    const server = await connected({}, { logLevel: 'info' });
    await server.callTool('log', {});
    await waitUntil(() => place.reported('log').length > 0, { description: 'a message comes' });
    expect(place.reported('log')).toEqual([{ type: 'log', server: 'tested', level: 'warning', logger: 'tests', data: { careful: true } }]);
  });
});

describe('a process', () => {
  it('leaves nothing behind when it is disconnected, and says so', async () => {
    const server = await place.one(place.stdio());
    const environment = JSON.parse(await toolText(server, 'read_environment')) as { readonly OWN_PID: string };
    const pids = [Number(environment.OWN_PID), Number(await toolText(server, 'start_child'))];
    expect(alive(pids)).toEqual(pids);
    await server.close();
    expect(alive(pids)).toEqual([]);
    expect(place.reported('disconnected')).toEqual([
      { type: 'disconnected', server: 'tested', reason: expect.stringMatching(/^its process ended (by SIG|with exit code 0)/) as string },
    ]);
  });

  it('may answer with 20 MB, and is ended at 40', async () => {
    const server = await place.one(place.stdio());
    expect((await toolText(server, 'large_result', { characters: 20_000_000 })).length).toBe(20_000_000);
    expect(await rejection(toolText(server, 'large_result', { characters: 40_000_000 }))).toMatchObject({ name: 'ConnectionLostError' });
    expect(server.endedByItself).toBe('was ended, because the server sent a message of more than 33554432 bytes');
  });

  it('is used also if it knows no levels of its log, which is a warning', async () => {
    const server = await place.one(script(WITHOUT_LEVELS), { logLevel: 'warning' });
    expect(server.tools.map(({ name }) => name)).toEqual(['a']);
    expect(place.reported('warning').map(({ message }) => message)).toEqual([expect.stringContaining('no such method')]);
  });

  it('gets no variables but those that desktop clients pass on, and its own', async () => {
    process.env['LONGHAUL_AGENT_API_KEY'] = 'the key of the agent';
    try {
      const server = await place.one(place.stdio({ env: { OWN: 'given' } }));
      const environment = JSON.parse(await toolText(server, 'read_environment')) as Record<string, string>;
      const passedOn = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'].filter((name) => process.env[name] !== undefined);
      expect(Object.keys(environment).sort()).toEqual([...passedOn, 'NOTES', 'OWN', 'OWN_PID', 'STARTED_BY_LONGHAUL'].sort());
      expect(environment['OWN']).toBe('given');
    } finally {
      delete process.env['LONGHAUL_AGENT_API_KEY'];
    }
  });

  it('is the only one that is started, and whose tools beyond the list are not there and cannot be called', async () => {
    const server = await place.one(place.stdio({ tools: ['echo', 'read_*', 'mistyped'] }));
    expect(server.tools.map(({ name }) => name).sort()).toEqual(['echo', 'read_environment']);
    expect(await rejection(server.callTool('die', {}))).toMatchObject({
      message: 'The tool "die" of the server "tested" may not be used.',
    });
    const warnings = place.reported('warning').map(({ message }) => message);
    expect(warnings).toContain('"mistyped" is allowed, but it has no such tool');
    expect(warnings).toContain('the description of its tool "echo" is cut: it has 9000 characters');
    expect(server.tools.find(({ name }) => name === 'echo')?.description?.length).toBe(8_193);
  });

  it('that dies in a call is said to be gone, and nobody says that the call was made or not', async () => {
    const { servers, toolbox } = await place.open({ tested: place.stdio() });
    const tool = toolbox.tools.find(({ listed }) => listed.name === 'die');
    if (tool === undefined) throw new Error('There is no such tool.');
    const call = (): Promise<unknown> => toolbox.call({ id: 'call-1', tool, arguments: {} }, { signal: new AbortController().signal });
    const gone = 'The server "tested" is gone: its process ended with exit code 7.';
    expect(await rejection(call())).toMatchObject({ message: `${gone} It is unknown whether the call was carried out.` });
    expect(await rejection(call())).toMatchObject({ message: `${gone} The call was not made.` });
    expect(servers[0]?.endedByItself).toBe('ended with exit code 7');
    expect(place.reported('disconnected')).toMatchObject([{ reason: 'its process ended with exit code 7' }]);
  });

  it('that ends before it answers is shown with its command, its end and its last words', async () => {
    const code = 'for (let i = 1; i < 100; i++) console.error("line " + i); console.error("no configuration"); process.exit(3)';
    const error = await rejection(place.one(script(code, { args: ['-e', code, '--', '--token=${TOKEN:-hush}'] })));
    expect(error).toMatchObject({ name: 'ServerStartError', server: 'tested' });
    const { message } = error as Error;
    expect(message).toContain(
      `The server "tested" did not start: ${process.execPath} -e ${code} -- --token=\${TOKEN:-hush}: ended with exit code 3`,
    );
    expect(message).toMatch(/its standard error:\n {2}line 91\n(?: {2}line \d+\n){8} {2}no configuration$/);
  });

  it('whose program or folder does not exist is said to be so', async () => {
    expect(await rejection(place.one({ command: 'no-such-program', args: ['--now'] }))).toMatchObject({
      message: 'The server "tested" did not start: no-such-program --now: could not be started: there is no program no-such-program',
    });
    expect(await rejection(place.one(place.stdio({ cwd: '/no/such/folder' })))).toMatchObject({
      message: expect.stringMatching(/: could not be started: there is no folder \/no\/such\/folder$/) as string,
    });
  });

  it('ends with the agent, also if that does not disconnect it', async () => {
    const code = `
      import { connectServers, parseServers } from '@longhaul/servers';
      const { servers } = parseServers(process.argv[1], { from: 'x', env: {} });
      const [server] = (await connectServers(servers)).servers;
      const { content: [environment] } = await server.callTool('read_environment', {});
      const { content: [child] } = await server.callTool('start_child', {});
      console.log(JSON.parse(environment.text).OWN_PID, child.text);
      process.exit(0);`;
    const file = JSON.stringify({ mcpServers: { tested: place.stdio() } });
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, file]);
    const pids = stdout.trim().split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await waitUntil(() => alive(pids).length === 0, { description: 'both have ended' });
  });

  it('that says nothing is given up, with all that it has started', async () => {
    const code = `process.on('SIGTERM', () => {});
      console.error(process.pid + ' ' + require('node:child_process').spawn('sleep', ['1000']).pid); setInterval(() => {}, 1000)`;
    const error = (await rejection(place.one(script(code, { startTimeoutMs: 700 })))) as Error;
    expect(error.message).toContain(': no answer came within 700 ms\n');
    const pids = /(\d+) (\d+)$/.exec(error.message)?.slice(1).map(Number) ?? [];
    expect(pids).toHaveLength(2);
    expect(alive(pids)).toEqual([]);
  });

  it.each([
    ['ends when it is asked for its newer version', 'process.exit(1)'],
    ['says nothing when it is asked for its newer version', 'return'],
  ])('that %s is connected in the older one', async (_title, answer) => {
    const code = `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const results = {
          initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
          'tools/list': { tools: [{ name: 'old-tool', inputSchema: { type: 'object' } }] },
        };
        if (id === undefined) return;
        if (results[method] === undefined) ${answer};
        console.log('not JSON');
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
      })`;
    const server = await place.one(script(code, { startTimeoutMs: 6_000 }));
    expect(server.client.generation).toBe('2025-11-25');
    expect(server.tools.map(({ name }) => name)).toEqual(['old-tool']);
  });

  it('that writes a byte order mark before its first message is connected', async () => {
    const entry = place.stdio() as { readonly args: readonly string[] };
    const marking = `data:text/javascript,${encodeURIComponent(String.raw`process.stdout.write('\ufeff')`)}`;
    const server = await place.one({ ...entry, args: ['--import', marking, ...entry.args] });
    expect(textOf(await server.callTool('echo', { message: 'hi' }))).toBe('hi');
  });

  it('of this project is connected, and ends with its client', async () => {
    const server = await place.one({
      command: process.execPath,
      args: [LONGHAUL, 'stdio'],
      cwd: place.folder,
      env: { LONGHAUL_RESEARCH_STAGE_MS: '0', LONGHAUL_DATA_DIR: join(place.folder, 'data'), TMPDIR: place.folder },
    });
    expect(server.client.generation).toBe('2026-07-28');
    const statuses: string[] = [];
    const result = await server.callTool(
      'simulate-research-query',
      { topic: 'tides' },
      { onStatus: ({ status }) => statuses.push(status) },
    );
    expect(textOf(result)).toContain('# Research Report: tides');
    expect(statuses.at(-1)).toBe('completed');
    await server.close();
    expect(place.reported('disconnected')).toMatchObject([
      // On a busy machine it takes longer than it is given.
      { reason: expect.stringMatching(/^its process ended (with exit code 0|by SIGTERM)$/) as string },
    ]);
  });

  it('of the reference server is connected in the version that it knows', async () => {
    const server = await place.one({ command: process.execPath, args: [REFERENCE] });
    expect(server.client.generation).toBe('2025-11-25');
    expect(await toolText(server, 'echo', { message: 'hi' })).toBe('Echo: hi');
  });
});

/** Speaks the older version by hand; some of what it says is not valid, or of a later version of the protocol. */
const PARTLY_USABLE = `
  const tool = (name, inputSchema) => ({ name, inputSchema });
  const object = { type: 'object' };
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [
      tool('good', object), tool('untyped', {}), tool('wrong', { type: 'array' }), tool('nowhere', { ...object, properties: { a: { $ref: '#/$defs/gone' } } }), 7,
    ] },
    'tools/call': { content: [{ type: 'text', text: 'one' }, { type: 'hologram', data: '' }, { type: 'text', text: 'two' }] },
  };
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
  });`;

it('of a server that is not valid in parts, the rest is used, and each part is named', async () => {
  const server = await place.one(script(PARTLY_USABLE));
  expect(server.tools.map(({ name }) => name)).toEqual(['good', 'untyped']);
  expect((await server.callTool('good', {})).content).toEqual([
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ]);
  const warnings = place.reported('warning').map(({ message }) => message);
  expect(warnings).toEqual([
    expect.stringMatching(/^The tool "wrong" is left out: inputSchema\.type/),
    expect.stringMatching(/^The tool 5 is left out: /),
    expect.stringMatching(/^its tool "nowhere" is not used: its schema is none: /),
    expect.stringMatching(/^The block of content 2 of the type "hologram" is left out/),
  ]);
});

describe('several servers', () => {
  const failing = script('console.error("broken"); process.exit(1)');

  it('go on without one that fails, which is named', async () => {
    const { servers, failures } = await place.open({ bad: failing, good: place.stdio() });
    expect(servers.map(({ name }) => name)).toEqual(['good']);
    expect(failures).toMatchObject([{ server: 'bad' }]);
    expect(place.reported('warning').find(({ server }) => server === 'bad')?.message).toContain('broken');
  });

  it('are an error when none of them starts', async () => {
    expect(await rejection(place.open({ bad: failing }))).toMatchObject({ server: 'bad' });
    expect(await rejection(place.open({ bad: failing, worse: failing }))).toMatchObject({
      errors: [{ server: 'bad' }, { server: 'worse' }],
    });
  });
});
