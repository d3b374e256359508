import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { askBefore, isAllowed, type ServerConfig } from './server-config.js';
import { parseServers, readServers } from './servers-file.js';

const FILE = '{"mcpServers": {"größe": {"command": "x"}}}';

const parsed = (mcpServers: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv = {}) =>
  parseServers(JSON.stringify({ mcpServers }), { from: 'servers.json', env });

function one(entry: object, env: NodeJS.ProcessEnv = {}): ServerConfig {
  const [server] = parsed({ tested: entry }, env).servers;
  if (server === undefined) throw new Error('There is no server.');
  return server;
}

describe('a file of servers', () => {
  it('has processes and URLs, as the files of desktop clients do', () => {
    const { servers, warnings } = parsed({
      files: { command: 'npx', args: ['-y', 'server', '/data'], env: { MODE: 'x' }, cwd: '/srv' },
      web: { type: 'http', url: 'https://tools.example/mcp', headers: { Authorization: 'Bearer x' } },
    });
    expect(servers).toEqual([
      {
        kind: 'stdio',
        name: 'files',
        shown: 'npx -y server /data',
        command: 'npx',
        args: ['-y', 'server', '/data'],
        env: { MODE: 'x' },
        cwd: '/srv',
        ask: 'writes',
        stateless: false,
        startTimeoutMs: 300_000,
      },
      {
        kind: 'url',
        name: 'web',
        shown: 'https://tools.example/mcp',
        url: 'https://tools.example/mcp',
        headers: { Authorization: 'Bearer x' },
        transport: 'http',
        ask: 'writes',
        stateless: false,
        startTimeoutMs: 60_000,
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('loses no server for its name', () => {
    const text = '{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "x"}}}';
    expect(parseServers(text, { from: 'servers.json', env: {} }).servers.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  });

  it('may say more of a server than desktop clients know', () => {
    const more = {
      tools: ['read_*'],
      ask: { '*': 'always', read_all: 'never' },
      stateless: true,
      timeoutMs: 5_000,
      startTimeoutMs: 1_000,
      protocolVersion: '2025-11-25',
    };
    expect(one({ command: 'x', ...more })).toMatchObject(more);
  });

  it('leaves out servers that are disabled, and warns of members that it does not know', () => {
    const { servers, warnings } = parsed({ off: { command: 'x', disabled: true }, on: { command: 'x', autoApprove: ['y'] } });
    expect(servers.map(({ name }) => name)).toEqual(['on']);
    expect(warnings).toEqual(['servers.json: server "on": "autoApprove" is not known here and was not read']);
  });

  it('has variables of the environment in its texts, which messages do not show', () => {
    const env = { TOKEN: 'hush', EMPTY: '' };
    const entry = {
      command: '${RUNNER:-npx}',
      args: ['--token=${TOKEN}', '${EMPTY}', '${EMPTY:-else}', '$TOKEN', '${not a name}'],
      env: { KEY: 'a ${TOKEN} b ${TOKEN}' },
    };
    expect(one(entry, env)).toMatchObject({
      command: 'npx',
      args: ['--token=hush', '', 'else', '$TOKEN', '${not a name}'],
      env: { KEY: 'a hush b hush' },
      shown: '${RUNNER:-npx} --token=${TOKEN} ${EMPTY} ${EMPTY:-else} $TOKEN ${not a name}',
    });
    expect(one({ url: 'https://ada:hush@${HOST:-x.example}/mcp?key=hush' })).toMatchObject({ shown: 'https://${HOST:-x.example}/mcp' });
  });

  it('is refused with a line for each mistake, which names the file, the server and the field', () => {
    const attempt = (): unknown =>
      parsed({
        a: { command: 'x', args: 'y', env: { KEY: ['1'] } },
        b: { command: 'x', url: 'https://x.example' },
        c: { url: 'ftp://x.example', headers: { Authorization: 'Bearer ${NO_TOKEN} ${NO_OTHER}' } },
        d: { url: 'https://x.example', type: 'websocket' },
        e: { command: 'x', ask: 'sometimes', timeoutMs: 0 },
        f: 'x',
        'g\n': { command: 'x' },
      });
    const mistakes = [
      'server "a": args: Invalid input: expected array, received string',
      'server "a": env.KEY: must be a text, a number or a truth value',
      'server "b": must be an object with either "command" or "url"',
      'server "c": url: must be an http or https URL',
      'server "c": headers.Authorization: NO_TOKEN and NO_OTHER are not set',
      'server "d": type: must be "http", "streamable-http" or "sse" for a URL',
      'server "e": ask: must be "always", "writes" or "never", or an object with one of them for each tool',
      'server "e": timeoutMs: Too small: expected number to be >=1',
      'server "f": must be an object with either "command" or "url"',
      'server "g\n": its name must have 1 to 64 characters, without control characters',
    ];
    expect(attempt).toThrow(mistakes.map((line) => `servers.json: ${line}`).join('\n'));
  });

  it.each([
    ['{"mcpServers": hush', 'x.json: must be JSON'],
    ['{"other": {}}', 'x.json: must have a member "mcpServers" or "servers"'],
    ['[]', 'x.json: must have a member "mcpServers"'],
  ])('is refused when it is %s', (text, message) => {
    expect(() => parseServers(text, { from: 'x.json', env: {} })).toThrow(message);
  });

  it('may have a server that cannot be used: it is named and left out, and the others work', () => {
    const file = parsed({
      good: { command: 'x' },
      old: { type: 'ws', url: 'https://x.example/ws' },
      asks: { command: 'x', ask: 'sometimes' },
      empty: {},
      secret: { url: 'https://x.example', headers: { Authorization: 'Bearer ${input:token}' } },
      off: { disabled: true, command: 7 },
    });
    expect(file.servers.map(({ name }) => name)).toEqual(['good']);
    expect([...file.refused.keys()]).toEqual(['old', 'asks', 'empty', 'secret']);
    expect(file.warnings).toEqual([...file.refused.values()].map((line) => `${line} (it is left out)`));
    expect(file.refused.get('secret')).toBe('servers.json: server "secret": headers.Authorization: ${input:token} is not set');
  });

  it.each([
    [
      'as VS Code has it',
      '{"inputs": [], "servers": {"a": {"type": "stdio", "command": "x", "env": {"PORT": 8080, "ON": true, "NO": null}}}}',
    ],
    ['as the settings of VS Code have it', '{"mcp": {"servers": {"a": {"command": "x", "env": {"PORT": "8080", "ON": "true"}}}}}'],
    [
      'with a byte order mark, comments and commas too much',
      '\uFEFF// My servers\n{"mcpServers": {/* one */ "a": {"command": "x", "env": {"PORT": 8080, "ON": true,},},},}',
    ],
  ])('may be written %s', (_how, text) => {
    const { servers, warnings } = parseServers(text, { from: 'x.json', env: {} });
    expect(servers).toMatchObject([{ kind: 'stdio', name: 'a', command: 'x', env: { PORT: '8080', ON: 'true' } }]);
    expect(warnings).toEqual([]);
  });

  it('may have what looks like comments in its texts', () => {
    expect(one({ url: 'https://x.example/mcp', headers: { A: '/* no comment, */ // none' } })).toMatchObject({
      url: 'https://x.example/mcp',
      headers: { A: '/* no comment, */ // none' },
    });
  });

  it.each(['http', 'HTTP', 'streamable-http', 'streamableHttp', 'streamable_http'])('may name the transport of a URL %s', (type) => {
    expect(one({ type, url: 'https://x.example/mcp' })).toMatchObject({ kind: 'url' });
  });

  it('may have the names that other clients use', () => {
    expect(one({ serverUrl: 'https://x.example/mcp' })).toMatchObject({ url: 'https://x.example/mcp' });
    expect(one({ httpUrl: 'https://x.example/mcp', command: null })).toMatchObject({ url: 'https://x.example/mcp' });
    expect(one({ command: 'x', args: ['--port', 8080], env: { KEY: '${env:TOKEN}' } }, { TOKEN: 'hush' })).toMatchObject({
      args: ['--port', '8080'],
      env: { KEY: 'hush' },
    });
    expect(parsed({ on: { command: 'x' }, off: { command: 'x', enabled: false } }).servers.map(({ name }) => name)).toEqual(['on']);
  });

  it('may be given as its content, or by its path', async () => {
    const { servers } = await readServers(' {"mcpServers": {"a": {"command": "x"}}}', {});
    expect(servers.map(({ name }) => name)).toEqual(['a']);
    await expect(readServers('{"mcpServers": 1}', {})).rejects.toThrow('LONGHAUL_AGENT_SERVERS: must have a member "mcpServers"');
    await expect(readServers('/no/such/file.json', {})).rejects.toThrow('/no/such/file.json: the file of servers cannot be read (ENOENT)');
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${FILE}`)],
    ['UTF-16, as PowerShell writes it', Buffer.from(`\ufeff${FILE}`, 'utf16le')],
    ['UTF-16 in the other order', Buffer.from(`\ufeff${FILE}`, 'utf16le').swap16()],
  ])('may be in %s', async (_, bytes) => {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-servers-'));
    await writeFile(join(folder, 'servers.json'), bytes);
    expect((await readServers(join(folder, 'servers.json'), {})).servers).toMatchObject([{ name: 'größe', command: 'x' }]);
    await rm(folder, { recursive: true });
  });
});

describe('what a file says of calls', () => {
  it('may be limits and defaults of arguments, with variables in their texts', () => {
    const tools = { log: { defaults: { in: ['${env:KEY}', 1], n: null } } };
    const a = { command: 'x', maxRunning: 4, whenBusy: 'refuse', quickMs: 0, tools };
    const { servers, warnings } = parsed({ a }, { KEY: 'hush' });
    expect(warnings).toEqual([]);
    expect(servers).toMatchObject([{ maxRunning: 4, whenBusy: 'refuse', quickMs: 0 }]);
    expect(servers[0]?.toolSettings?.['log']?.defaults).toEqual({
      in: { value: ['hush', 1], isShown: false },
      n: { value: null, isShown: true },
    });
  });

  it.each([
    [{ maxRunning: 0 }, 'maxRunning: '],
    [{ whenBusy: 'ask' }, 'whenBusy: '],
    [{ quickMs: 60_001 }, 'quickMs: '],
    [{ tools: { log: { defaults: { in: '${MISSING}' } } } }, 'tools.log.defaults.in: MISSING is not set'],
    [{ tools: { log: { defaults: { in: 'x'.repeat(65_536) } } } }, 'tools.log'],
  ])('is refused where it cannot be: %#', (entry, message) => {
    const { refused } = parsed({ good: { command: 'x' }, a: { command: 'x', ...entry } });
    expect(refused.get('a')).toContain(message);
  });
});

it('the file of servers in the documents is one', async () => {
  const path = fileURLToPath(new URL('../../../../docs/examples/agent-servers.json', import.meta.url));
  const { servers, warnings } = await readServers(path, { HOME: '/home/ada', TICKETS_TOKEN: 'hush' });
  expect(servers).toMatchObject([
    { name: 'files', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/notes'], env: { LANG: 'C.UTF-8' } },
    { name: 'tickets', headers: { Authorization: 'Bearer hush' } },
  ]);
  expect(warnings).toEqual([]);
});

describe('the tools of a server', () => {
  it.each([
    [undefined, 'any', true],
    [[], 'any', false],
    [['read_*', 'list'], 'read_file', true],
    [['read_*', 'list'], 'list', true],
    [['read_*', 'list'], 'list_all', false],
    [['*.get'], 'x.get', true],
    [['*.get'], 'xyget', false],
    [['*'], 'two\nlines', true],
  ])('may be used by the list %j: %s is %s', (tools, name, expected) => {
    expect(isAllowed(name, { tools })).toBe(expected);
  });

  it.each([
    ['always', 'any', 'always'],
    [{ 'delete_*': 'always', '*': 'never' }, 'delete_all', 'always'],
    [{ 'delete_*': 'always', '*': 'never' }, 'read', 'never'],
    [{ '*': 'never', delete_all: 'always' }, 'delete_all', 'always'],
    [{ read: 'never' }, 'other', 'writes'],
    [{ read: 'never' }, 'constructor', 'writes'],
  ] as const)('are asked for by %j: %s is asked %s', (ask, name, expected) => {
    expect(askBefore(name, { ask })).toBe(expected);
  });
});
