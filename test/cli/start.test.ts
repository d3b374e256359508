import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { freePort } from '@longhaul/bench/free-port';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openTestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';
import { anotherApp, gone, killAgainAndAgain, takenPort, Workplace, type Launcher } from './support/launcher.js';

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

async function started(env: NodeJS.ProcessEnv = {}): Promise<{ launcher: Launcher; endpoint: URL }> {
  const launcher = place.run(['start'], { PORT: '0', ...env });
  return { launcher, endpoint: await launcher.endpoint() };
}

const dataFile = (): string => join(place.folder, '.longhaul', 'longhaul.db');

const HELLO = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

async function post(endpoint: URL, message: object, session?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return fetch(endpoint, { method: 'POST', headers: { ...headers, ...(session !== undefined && { 'mcp-session-id': session }) }, body });
}

describe('one longhaul start', () => {
  const port = freePort();
  let shared: Workplace;
  let launcher: Launcher;
  let endpoint: URL;
  beforeAll(async () => {
    shared = new Workplace();
    launcher = shared.run(['start'], { PORT: String(await port) });
    endpoint = await launcher.endpoint();
  });
  afterAll(() => shared.close());

  const isReady = () =>
    fetch(new URL('/readyz', endpoint)).then(
      ({ ok }) => ok,
      () => false,
    );

  test('serves on the port of its settings, and says how to connect', async () => {
    expect(endpoint.href).toBe(`http://127.0.0.1:${await port}/mcp`);
    expect((await fetch(new URL('/healthz', endpoint))).status).toBe(200);
    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    await expect.poll(() => launcher.stdout()).toContain(`claude mcp add --transport http longhaul ${endpoint.href}`);
    await expect
      .poll(() => launcher.stdout())
      .toContain(JSON.stringify({ mcpServers: { longhaul: { type: 'http', url: endpoint.href } } }));
    await expect.poll(() => launcher.stdout()).toMatch(/^ +Data +\.longhaul\/longhaul\.db \(SQLite\)$/m);
    expect(launcher.stderr()).toBe('');
  });

  test('is gateway and worker in two processes, on one file that only its user can read', () => {
    expect(shared.family(launcher)).toHaveLength(3);
    expect(shared.appOf(launcher, 'gateway')).not.toBe(shared.appOf(launcher, 'worker'));
    expect(statSync(join(shared.folder, '.longhaul', 'longhaul.db')).mode & 0o777).toBe(0o600);
    expect(statSync(join(shared.folder, '.longhaul')).mode & 0o777).toBe(0o700);
  });

  test.each(['gateway', 'worker'] as const)('starts the %s again that was killed, and serves where it did', async (app) => {
    const killed = shared.appOf(launcher, app);
    process.kill(killed, 'SIGKILL');
    const again = await waitUntil(() => anotherApp(shared, launcher, app, killed), { description: `there is another ${app}` });
    expect(again).not.toBe(killed);
    await expect.poll(() => launcher.stderr()).toContain(`longhaul: the ${app} has ended (SIGKILL) and is started again\n`);
    await waitUntil(isReady, { description: 'it serves' });
  });

  test('goes on serving with a worker that ends again and again, is not ready meanwhile, and is when it has run for a while', async () => {
    const readiness = async (exclude = '') => {
      const response = await fetch(new URL(`/readyz${exclude}`, endpoint));
      return [response.status, await response.json()] as const;
    };
    // One end of it came before.
    await killAgainAndAgain(shared, launcher, 'worker', 5);
    await waitUntil(async () => (await readiness())[0] === 503, { description: 'it is not ready' });
    expect(await readiness()).toEqual([503, { status: 'worker keeps ending' }]);
    expect((await readiness('?exclude=full,worker'))[0]).toBe(200);
    const often = 'the worker has ended 6 times within 60 s (now with SIGKILL)';
    await expect.poll(() => launcher.stderr()).toContain(`longhaul: ${often}: it is started again in 3.2 s, and the rest continues\n`);
    expect((await post(endpoint, HELLO)).status).toBe(200);
    await waitUntil(async () => (await readiness())[0] === 200, { description: 'it is ready again' });
  });
});

describe('longhaul start', () => {
  /** Ends it, and looks for processes and sockets that are left. */
  async function endBy(signal: NodeJS.Signals, launcher: Launcher): Promise<void> {
    const family = place.family(launcher);
    launcher.signal(signal);
    expect((await launcher.ended).code).toBe(0);
    await gone(family);
  }
  const sockets = (): string[] => readdirSync(join(place.folder, '.longhaul')).filter((name) => name.endsWith('.sock'));

  test('takes its processes along when it is killed, and keeps its sessions for the next start', async () => {
    const first = await started();
    const session = (await post(first.endpoint, HELLO)).headers.get('mcp-session-id') ?? '';
    const family = place.family(first.launcher);
    first.launcher.signal('SIGKILL');
    await gone(family);

    const { launcher, endpoint } = await started();
    expect((await post(endpoint, { method: 'ping' }, session)).status).toBe(200);
    expect((await post(endpoint, { method: 'ping' }, randomUUID())).status).toBe(404);
    await endBy('SIGTERM', launcher);
  });

  test('runs twice on one data folder, each serves the sessions of the other, and nothing is left after SIGHUP and SIGINT', async () => {
    const [one, other] = await Promise.all([started(), started()]);
    const session = (await post(one.endpoint, HELLO)).headers.get('mcp-session-id') ?? '';
    expect((await post(other.endpoint, { method: 'ping' }, session)).status).toBe(200);
    expect(sockets()).not.toEqual([]);
    await endBy('SIGHUP', one.launcher);

    expect((await post(other.endpoint, { method: 'ping' }, session)).status).toBe(200);
    await endBy('SIGINT', other.launcher);
    expect(sockets()).toEqual([]);
  });

  test('can be stopped while it starts', async () => {
    const launcher = place.run(['start'], { PORT: '0' });
    await waitUntil(() => existsSync(dataFile()), { description: 'a process opens the data file' });
    const family = place.family(launcher);
    launcher.signal('SIGINT');

    expect((await launcher.ended).code).toBe(0);
    await gone(family);
  });

  test("ends when npm's shell is gone, which passes no signal on", async () => {
    const shell = place.runInShell({ PORT: '0' });
    await shell.endpoint();
    const family = place.family(shell);
    shell.signal('SIGTERM');

    await gone(family);
    expect(readdirSync(join(place.folder, '.longhaul')).filter((name) => name.endsWith('.sock'))).toEqual([]);
  });
});

describe('longhaul start that cannot', () => {
  test('says in one line that the port is taken, before it starts anything', async () => {
    const { port, release } = await takenPort();
    const { code, stdout, stderr } = await place.command(['start'], { PORT: String(port) });
    await release();

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^longhaul: Port ${port} on 127.0.0.1 is taken\\. Set PORT to .*PORT=\\d+\\.\n$`));
    expect(existsSync(join(place.folder, '.longhaul'))).toBe(false);
  });

  test('says in one line that the data folder cannot be written', async () => {
    writeFileSync(join(place.folder, 'file'), '');
    const { code, stderr } = await place.run(['start'], { PORT: '0', LONGHAUL_DATA_DIR: 'file' }).ended;

    expect(code).toBe(1);
    expect(stderr).toMatch(/^longhaul: The data file .*file\/longhaul\.db cannot be opened: EEXIST.*LONGHAUL_DATA_DIR.*\n$/);
  });

  test('names a wrong setting', async () => {
    const { code, stderr } = await place.command(['start'], { PORT: 'http' });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^longhaul: PORT=http: .*\n$/);
  });

  test('says once, in one line, that a module of features cannot be loaded', async () => {
    writeFileSync(join(place.folder, 'broken.mjs'), "throw new TypeError('it broke while\\nloading');");
    const { code, stdout, stderr } = await place.run(['start'], { PORT: '0', LONGHAUL_FEATURES: './broken.mjs' }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('longhaul: Feature module "./broken.mjs" cannot be loaded: it broke while (broken.mjs:1)\n');
  });

  test('refuses in one line the data file of another version, and leaves it as it is', async () => {
    mkdirSync(dirname(dataFile()));
    await (await openSqliteStore({ path: dataFile(), onError: () => undefined })).close();
    const file = new DatabaseSync(dataFile());
    file.exec('PRAGMA user_version = 2');
    file.close();
    const { code, stdout, stderr } = await place.run(['start'], { PORT: '0' }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^longhaul: .*longhaul\.db has version 2 of the data file, .*LONGHAUL_DATA_DIR.*\n$/);
  });
});

describe('longhaul start for others', () => {
  const open = { HOST: '0.0.0.0' };

  test('shows an address that can be reached, and that everyone is let in; its data may be in a path too long for a socket', async () => {
    const data = join(place.folder, 'a'.repeat(60), 'b'.repeat(60));
    const { launcher, endpoint } = await started({ ...open, LONGHAUL_ALLOW_ANONYMOUS: '1', LONGHAUL_DATA_DIR: data });

    expect(endpoint.hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    expect(existsSync(join(data, 'longhaul.db'))).toBe(true);
    expect(launcher.stdout()).not.toContain('0.0.0.0');
    await expect.poll(() => launcher.stdout()).toMatch(/^ +Auth +anonymous$/m);
  });

  test('shows where clients put their token, and no token; names a misspelt variable once, with its nearest spelling', async () => {
    const { launcher, endpoint } = await started({ ...open, LONGHAUL_TOKENS: 'ada:token-of-ada-0001', LONGHAUL_TOKEN: 'ada:mistaken' });

    expect((await fetch(endpoint, { method: 'POST' })).status).toBe(401);
    const { href: url } = endpoint;
    const server = { type: 'http', url, headers: { Authorization: 'Bearer <token>' } };
    await expect
      .poll(() => launcher.stdout())
      .toContain(`claude mcp add --transport http longhaul ${url} --header "Authorization: Bearer <token>"`);
    await expect.poll(() => launcher.stdout()).toContain(JSON.stringify({ mcpServers: { longhaul: server } }));
    await expect.poll(() => launcher.stdout()).toMatch(/^ +Auth +tokens$/m);
    expect(launcher.stdout()).not.toMatch(/token-of-ada|LONGHAUL_TOKEN/);
    await expect.poll(() => launcher.stderr()).toBe('longhaul: LONGHAUL_TOKEN is not read: did you mean LONGHAUL_TOKENS?\n');
  });
});

describe('longhaul start with REDIS_URL', () => {
  test('uses that Redis, makes no data file, and does not show the password', async () => {
    const { url, prefix, cleanUp } = openTestRedis();
    const withPassword = new URL(url);
    withPassword.username = 'default';
    withPassword.password = 'any-password';
    const { launcher, endpoint } = await started({ REDIS_URL: withPassword.href, LONGHAUL_KEY_PREFIX: prefix });

    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    expect(launcher.stdout()).not.toContain('any-password');
    await expect.poll(() => launcher.stdout()).toContain('(REDIS_URL)');
    expect(existsSync(join(place.folder, '.longhaul'))).toBe(false);
    launcher.signal('SIGTERM');
    await launcher.ended;
    await cleanUp();
  });

  test('says in one line that nobody answers there', async () => {
    const { code, stdout, stderr } = await place.run(['start'], { PORT: '0', REDIS_URL: `redis://127.0.0.1:${await freePort()}` }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^longhaul: .*redis:\/\/127\.0\.0\.1:\d+.*\n$/);
  });
});
