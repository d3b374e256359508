/** Tests `longhaul proxy` and `longhaul servers`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Clients, textOf } from '../client/support/clients.js';
import { startSseServer } from '../servers/support/sse-server.js';
import { oddServer } from '../servers/support/odd-server.js';
import { waitUntil } from '../support/wait-until.js';
import { Workplace } from './support/launcher.js';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const clients = new Clients();
let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});
afterEach(async () => {
  await clients.close();
  await place.close();
});

async function served(...args: readonly string[]): Promise<string> {
  return (await place.run(['proxy', ...args], { PORT: '0' }).endpoint()).href;
}

describe('longhaul proxy', () => {
  it('serves the server of a command, under its own names', async () => {
    const env = { PORT: '0', HTTPS_PROXY: 'http://proxy.example', LONGHAUL_SECRET: '9f1c0d7be2a85346ad10' };
    const { href } = await place.run(['proxy', '--', process.execPath, EVERYTHING], env).endpoint();
    const client = await clients.connect(href);
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(textOf(await client.callTool('echo', { message: 'hi' }))).toBe('Echo: hi');
    const environment = String(textOf(await client.callTool('get-env', {})));
    expect(environment).toContain('http://proxy.example');
    expect(environment).not.toContain('9f1c0d7be2a85346ad10');
    expect(textOf(await client.callTool('simulate-research-query', { topic: 'tides' }))).toContain('tides');
    const called = await waitUntil(
      async () => {
        const ended = await place.run(['call', 'echo', 'message=from another terminal', '--wait']).ended;
        return ended.stderr.includes('There is no tool') ? undefined : ended;
      },
      { description: 'what the server offers is kept' },
    );
    expect(called).toMatchObject({ code: 0, stdout: 'Echo: from another terminal\n' });
  });

  it('serves the servers of a file', async () => {
    place.write('mcp.json', JSON.stringify({ mcpServers: { one: oddServer({}), two: oddServer({}) } }));
    const client = await clients.connect(await served('./mcp.json'));
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => name.includes('__'))).toEqual(['one__work', 'two__work']);
    expect(textOf(await client.callTool('two__work', {}))).toBe('done');
  });

  it('serves the server of a URL', async () => {
    const sse = await startSseServer();
    try {
      const client = await clients.connect(await served(sse.url));
      expect(textOf(await client.callTool('work', {}))).toBe('done');
    } finally {
      await sse.close();
    }
  });

  it.each([
    [[], 2, 'name a file of servers, a URL, or a command'],
    [['missing.json'], 1, 'missing.json: the file of servers cannot be read (ENOENT)'],
    [['empty.json'], 1, 'there is no server in it'],
    [['mcp.jso'], 1, 'mcp.jso: there is no such file, and no such command'],
    [['--', 'npxx', '-y', 'server'], 1, 'npxx: there is no such file, and no such command'],
  ])('says what is wrong with %j', async (args, code, said) => {
    place.write('empty.json', '{"mcpServers": {}}');
    const ended = await place.command(['proxy', ...args]);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(said);
  });
});

describe('the servers of a file', () => {
  it('are listed, and compared with what the file says of them', async () => {
    const good = { ...oddServer({}), tools: { work: { task: 'forbidden', name: 'toil' } } };
    const reading = { ...oddServer({}), tools: { work: { annotations: { readOnlyHint: true }, defaults: { none: 1 } } } };
    place.write('mcp.json', JSON.stringify({ mcpServers: { good, other: { ...oddServer({}), deny: ['mistyped'] }, reading } }));
    const listed = await place.command(['servers', './mcp.json']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await place.command(['servers', './mcp.json', '--check']);
    expect(code).toBe(1);
    expect(stdout).toContain('  connected, protocol version 2025-11-25\n  toil (work): within the request\n');
    expect(stdout).toContain('  other__work (work): as a task\n');
    expect(stdout).toContain('  reading__work (work): within the request, as a task after 2000 ms\n');
    expect(stdout).toContain('  wrong: work is not served: defaults.none: it has no such argument\n');
    expect(stdout).toContain('  wrong: the file says something of "mistyped", and it has no such tool\n');
    const checked = await place.command(['servers', './mcp.json', '--check', '--json']);
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      servers: [
        {
          name: 'good',
          isGood: true,
          protocolVersion: '2025-11-25',
          tools: [{ name: 'work', as: 'toil', task: 'forbidden' }],
          problems: [],
        },
        { name: 'other', isGood: false, problems: ['the file says something of "mistyped", and it has no such tool'] },
        { name: 'reading', isGood: false, problems: ['work is not served: defaults.none: it has no such argument'] },
      ],
    });
  });

  it('are approved as they are now, and compared with that from then on', async () => {
    const entry = (description: string): object =>
      oddServer(
        { answers: `if (method === 'tools/list') return { tools: [{ ...tool('work'), description: ${JSON.stringify(description)} }] };` },
        { pin: true },
      );
    const command = (description: string, flag: string) => {
      place.write('mcp.json', JSON.stringify({ mcpServers: { pinned: entry(description) } }));
      return place.command(['servers', './mcp.json', flag]);
    };
    const before = await command('Works', '--check');
    expect(before).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('  refused: work was not approved before\n    Works\n') as string,
    });
    const pinned = await command('Works', '--pin');
    expect(pinned).toMatchObject({ code: 0, stdout: expect.stringMatching(/tools that are pinned in .*mcp\.lock\.json: 1\n/) as string });
    expect(await command('Works', '--check')).toMatchObject({ code: 0 });
    const after = await command('Works \u001b[2Jelse', '--check');
    expect(after.code).toBe(1);
    expect(after.stdout).toContain('  refused: work has changed since it was approved\n    Works else\n');
  });

  it('are said not to start', async () => {
    place.write('mcp.json', JSON.stringify({ mcpServers: { bad: { command: process.execPath, args: ['-e', 'process.exit(4)'] } } }));
    const { code, stdout } = await place.command(['servers', './mcp.json', '--check']);
    expect(code).toBe(1);
    expect(stdout).toContain('ended with exit code 4');
  });
});

describe('the servers of a deployment', () => {
  it('are listed, shown, restarted, and turned off and on, as a whole and by tool', async () => {
    place.write('mcp.json', JSON.stringify({ mcpServers: { files: oddServer({}), other: oddServer({}) } }));
    const launcher = place.run(['proxy', './mcp.json'], { PORT: '0', LONGHAUL_OPS_PORT: '0' });
    await launcher.endpoint();
    const [, opsUrl = '', tokenFile = ''] = /Operators +(\S+) \(token in ([^)]+)\)/.exec(launcher.stdout()) ?? [];
    const env = { LONGHAUL_OPS_URL: opsUrl, LONGHAUL_OPS_TOKEN: readFileSync(tokenFile, 'utf8').trim() };
    const run = async (...words: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await place.command(['servers', ...words], env);
      return code === 0 ? stdout : `exit code ${code}: ${stderr}`;
    };
    const reason = ['--reason', 'to try it'];
    await waitUntil(async () => /files +connected/.test(await run()), { description: 'the server is reported' });
    expect(await run('show', 'files')).toMatch(/tool work +0 calls/);
    expect(await run('restart', 'files', ...reason)).toBe('files is connected again by all processes\n');
    expect(await run('off', 'files/work', ...reason)).toBe('tool work of files is off\n');
    expect(await run('off', 'other', ...reason)).toBe('other is off\n');
    const listed = await run();
    expect(listed).toMatch(/files .*off: work\n/);
    expect(listed).toMatch(/other +off for .*off by operator:\S+: to try it/);
    expect(await run('on', 'files/work', ...reason)).toBe('tool work of files is on\n');
    expect(await run('on', 'other', ...reason)).toBe('other is on\n');
    expect(await run('off', 'nowhere', ...reason)).toMatch(/^exit code 3: .*No process that is alive has a server nowhere/);
  });
});
