/** Tests how `longhaul stdio` ends, with everything that it has started. */
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '@longhaul/bench/free-port';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { section } from '../docs/documents.js';
import { openTestRedis } from '../support/redis.js';
import { gone, Workplace } from './support/launcher.js';
import { connectStdio, GREETING, StdioLines } from './support/stdio-client.js';

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const EXIT = { jsonrpc: '2.0', method: 'exit' };

/** Folders that hold a gateway's socket. */
const socketFolders = (): string[] => readdirSync(place.folder).filter((name) => name.startsWith('longhaul-stdio-'));

async function expectNothingLeft(family: readonly number[]): Promise<void> {
  await gone(family);
  expect(socketFolders()).toEqual([]);
  expect(readdirSync(join(place.folder, '.longhaul')).filter((name) => name.endsWith('.sock'))).toEqual([]);
}

describe('longhaul stdio', () => {
  test.each<[string, (stdio: StdioLines) => void]>([
    [
      'the end of its input, whatever is still called',
      (stdio) => {
        stdio.send(request(1, 'tools/call', { name: 'slow', arguments: { ms: 3_600_000 } }));
        stdio.launcher.endInput();
      },
    ],
    [
      'the end of its output',
      (stdio) => {
        stdio.launcher.closeOutput();
        stdio.send(request(1, 'ping')); // A process notices a closed pipe when it writes to it.
      },
    ],
    ['SIGTERM', ({ launcher }) => launcher.signal('SIGTERM')],
  ])('leaves no process and no socket after %s', async (_what, end) => {
    const stdio = new StdioLines(place);
    await stdio.open();
    const family = place.family(stdio.launcher);
    expect(family).toHaveLength(3);
    end(stdio);

    const { code, stderr } = await stdio.launcher.ended;
    expect({ code, stderr: stderr.replace(GREETING, '') }).toEqual({ code: 0, stderr: '' });
    await expectNothingLeft(family);
  });

  test('answers what was asked before its input ends', async () => {
    const stdio = new StdioLines(place);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    stdio.send(request(1, 'initialize', params), { jsonrpc: '2.0', method: 'notifications/initialized' });
    stdio.send(request(2, 'tools/call', { name: 'slow', arguments: { ms: 300 } }), request(3, 'ping'));
    stdio.launcher.endInput();

    expect((await stdio.launcher.ended).code).toBe(0);
    expect(stdio.received().map(({ id }) => id)).toEqual([1, 3, 2]);
  });

  test('takes only exit after shutdown, which leaves no process and no socket', async () => {
    const stdio = new StdioLines(place);
    await stdio.open();
    const family = place.family(stdio.launcher);
    expect(await stdio.call(1, 'shutdown')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    for (const method of ['ping', 'tools/list', 'initialize']) {
      expect(await stdio.call(method, method)).toMatchObject({
        error: { code: -32600, message: 'Invalid Request: after shutdown, only the notification exit is accepted' },
      });
    }
    stdio.send(EXIT, request('late', 'ping'));

    expect((await stdio.launcher.ended).code).toBe(0);
    expect(stdio.received().filter(({ id }) => id === 'late')).toEqual([]);
    await expectNothingLeft(family);
  });

  test.each([
    [['stdio', '--port=1'], {}, 2, /^longhaul: Unknown option '--port' \(usage: longhaul stdio .*\)\n$/],
    [['stdio'], { LONGHAUL_PAGE_SIZE: 'many' }, 1, /^longhaul: LONGHAUL_PAGE_SIZE=many: .*\n$/],
    [['stdio'], { LONGHAUL_FEATURES: './missing.ts' }, 1, /missing\.ts/],
  ])('that cannot start says so on standard error only: %j %j', async (args, wrong, code, line) => {
    const { stdout, stderr, ...ended } = await place.runWithInput(args, wrong).ended;

    expect({ stdout, ...ended }).toEqual({ stdout: '', code });
    expect(stderr).toMatch(line);
  });

  test('does without settings that are for others, and opens no port', async () => {
    const port = await freePort();
    const others = { HOST: 'some.host', PORT: String(port), LONGHAUL_TOKENS: 'ada', LONGHAUL_STATELESS: '1' };
    const stdio = new StdioLines(place, others);
    await stdio.open();

    const socket = connect(port, '127.0.0.1');
    await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED');
    const [folder = ''] = socketFolders();
    expect(statSync(join(place.folder, folder)).mode & 0o777).toBe(0o700);
    expect(await stdio.call(1, 'shutdown')).toMatchObject({ result: {} });
  });
});

describe('the ways to start it', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

  test('are the configuration in the docs', async () => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(section('docs/install.md', 'From a clone')) ?? [];
    const own = json.replaceAll('/path/to/longhaul/.longhaul', join(place.folder, 'data')).replaceAll('/path/to/longhaul', root);
    const { longhaul } = (
      JSON.parse(own) as { mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }> }
    ).mcpServers;
    if (longhaul === undefined) throw new Error('The docs configure no server.');
    const { client, close } = await connectStdio(place, { command: [longhaul.command, ...longhaul.args], env: longhaul.env });

    expect(await client.ping()).toEqual({});
    expect(existsSync(join(place.folder, 'data', 'longhaul.db'))).toBe(true);
    await close();
  });

  test('are the script that npm runs, and the client of the SDK is rid of all processes when it closes', async () => {
    const stdio = await connectStdio(place, { command: [process.execPath, join(root, 'scripts', 'stdio.mjs')] });

    expect(await stdio.client.ping()).toEqual({});
    const family = place.family(stdio);
    await stdio.close();
    await gone(family);
  });
});

test('a killed longhaul stdio takes its processes along', async () => {
  const stdio = new StdioLines(place);
  await stdio.open();
  const family = place.family(stdio.launcher);
  stdio.launcher.signal('SIGKILL');

  await gone(family);
});

test('longhaul stdio uses the Redis of REDIS_URL, and ends its session there', async () => {
  const { url, prefix, redis, keysWithoutTtl, cleanUp } = openTestRedis();
  const stdio = new StdioLines(place, { REDIS_URL: url, LONGHAUL_KEY_PREFIX: prefix });
  await stdio.open();
  const called = await stdio.call(1, 'tools/call', { name: 'stages', arguments: { ms: 1 } });
  expect(called).toMatchObject({ result: { content: [{ text: 'all stages done' }] } });
  const sessions = async (): Promise<string[]> => (await redis.keys(`${prefix}:session:*`)).filter((key) => key.endsWith('}'));
  expect(await sessions()).toHaveLength(1);
  stdio.launcher.endInput();
  await stdio.launcher.ended;

  expect(await sessions()).toEqual([]);
  expect(existsSync(join(place.folder, '.longhaul'))).toBe(false);
  // The Redis of the tests keeps nothing on disk, which is warned of.
  const warning = /^\{.*Redis keeps nothing on disk.*\}\n/gm;
  expect(stdio.launcher.stderr().replace(GREETING, '').replace(warning, '')).toBe('');
  expect(await keysWithoutTtl()).toEqual([]);
  await cleanUp();
});
