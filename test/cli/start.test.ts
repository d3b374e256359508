import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

import { freePort } from '@longhaul/bench/free-port';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';
import { alive, PATH_WITHOUT_REDIS, takenPort, Workplace, type Launcher } from './launcher.js';

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

async function started(env: NodeJS.ProcessEnv = {}): Promise<{ launcher: Launcher; endpoint: URL }> {
  const launcher = place.run(['start'], { PORT: '0', ...env });
  return { launcher, endpoint: await launcher.endpoint() };
}

/** A process that has ended is still seen until the process that inherited it has reaped it. */
const gone = (pids: readonly number[]) =>
  waitUntil(() => alive(pids).length === 0, { timeoutMs: 20_000, description: 'all processes have ended' });

/** The process of an app, when it is another one than before. */
function anotherApp(launcher: Launcher, app: 'gateway' | 'worker', before: number): number | undefined {
  try {
    const pid = place.appOf(launcher, app);
    return pid === before ? undefined : pid;
  } catch {
    return undefined; // Not started yet.
  }
}

const socketFile = (): string => join(place.folder, '.longhaul', 'redis.sock');

async function withRedis<T>(use: (redis: Redis) => Promise<T>, path = socketFile()): Promise<T> {
  const redis = new Redis(path);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

describe('longhaul start with a private Redis', () => {
  test('serves on the port of its settings, and says how to connect', async () => {
    const port = await freePort();
    const { launcher, endpoint } = await started({ PORT: String(port) });

    expect(endpoint.href).toBe(`http://127.0.0.1:${port}/mcp`);
    expect((await fetch(new URL('/healthz', endpoint))).status).toBe(200);
    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    expect(launcher.stdout()).toContain(`claude mcp add --transport http longhaul ${endpoint.href}`);
    expect(launcher.stdout()).toContain(JSON.stringify({ mcpServers: { longhaul: { type: 'http', url: endpoint.href } } }));
    expect(launcher.stdout()).toMatch(/Redis +(redis|valkey)-server \d+\.\d+\.\d+, private; data kept in \.longhaul\//);
    expect(launcher.stderr()).toBe('');
  });

  test('is gateway and worker in two processes, and a Redis without a TCP port that evicts nothing', async () => {
    const { launcher } = await started();

    expect(place.family(launcher).length).toBeGreaterThanOrEqual(4);
    await withRedis(async (redis) => {
      expect(await redis.config('GET', 'port', 'appendonly', 'appendfsync', 'maxmemory-policy')).toEqual(
        expect.arrayContaining(['port', '0', 'appendonly', 'yes', 'appendfsync', 'everysec', 'maxmemory-policy', 'noeviction']),
      );
    });
  });

  test('keeps its data over a restart of the command', async () => {
    const first = await started();
    await withRedis((redis) => redis.set('kept', 'yes'));
    first.launcher.signal('SIGTERM');
    expect((await first.launcher.ended).code).toBe(0);

    await started();
    expect(await withRedis((redis) => redis.get('kept'))).toBe('yes');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('leaves no process and no socket after %s', async (signal) => {
    const { launcher } = await started();
    const family = place.family(launcher);
    launcher.signal(signal);

    const { code } = await launcher.ended;
    expect(code).toBe(0);
    await gone(family);
    expect(readdirSync(join(place.folder, '.longhaul')).toSorted()).toEqual(['appendonlydir', 'redis.log']);
  });

  test('can be stopped while it starts', async () => {
    const launcher = place.run(['start'], { PORT: '0' });
    await waitUntil(() => existsSync(socketFile()), { description: 'Redis starts' });
    const family = place.family(launcher);
    launcher.signal('SIGINT');

    expect((await launcher.ended).code).toBe(0);
    await gone(family);
  });

  test('takes its processes along when it is killed, and starts again', async () => {
    const { launcher } = await started();
    const family = place.family(launcher);
    launcher.signal('SIGKILL');

    await gone(family);
    await started();
  });

  test("ends when npm's shell is gone, which passes no signal on", async () => {
    const shell = place.runInShell({ PORT: '0' });
    await shell.endpoint();
    const family = place.family(shell);
    shell.signal('SIGTERM');

    await gone(family);
    expect(readdirSync(join(place.folder, '.longhaul')).toSorted()).toEqual(['appendonlydir', 'redis.log']);
  });

  test('says which process died, ends the others and fails', async () => {
    const { launcher } = await started();
    const family = place.family(launcher);
    const redisPid = Number(readFileSync(join(place.folder, '.longhaul', 'redis.pid'), 'utf8'));
    process.kill(redisPid, 'SIGKILL');

    const { code, stderr } = await launcher.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('longhaul: redis ended unexpectedly (SIGKILL)');
    await gone(family);
  });

  test.each(['gateway', 'worker'] as const)('starts the %s again that was killed, and serves where it did', async (app) => {
    const { launcher, endpoint } = await started();
    const killed = place.appOf(launcher, app);
    process.kill(killed, 'SIGKILL');
    const again = await waitUntil(() => anotherApp(launcher, app, killed), { timeoutMs: 20_000, description: `there is another ${app}` });
    expect(again).not.toBe(killed);
    expect(launcher.stderr()).toBe(`longhaul: the ${app} has ended (SIGKILL) and is started again\n`);
    const isReady = () =>
      fetch(new URL('/readyz', endpoint)).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isReady, { timeoutMs: 20_000, description: 'it serves' });
  });

  test('starts over a stale socket, a stale lock and the process id of somebody else', async () => {
    const data = join(place.folder, '.longhaul');
    mkdirSync(data);
    await leaveStaleSocket(join(data, 'launcher.sock'));
    await leaveStaleSocket(join(data, 'redis.sock'));
    writeFileSync(join(data, 'redis.pid'), `${process.pid}\n`);

    const { endpoint } = await started();
    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
  });

  test('ends the Redis that an earlier launcher left behind', async () => {
    const { launcher } = await started();
    await withRedis((redis) => redis.set('kept', 'yes'));
    const family = place.family(launcher);
    const redisPid = Number(readFileSync(join(place.folder, '.longhaul', 'redis.pid'), 'utf8'));
    // Everything but Redis, so that nobody is left who could end it.
    for (const pid of family.filter((entry) => entry !== redisPid)) process.kill(pid, 'SIGKILL');
    await launcher.ended;
    expect(alive([redisPid])).toEqual([redisPid]);

    await started();
    await gone([redisPid]);
    expect(await withRedis((redis) => redis.get('kept'))).toBe('yes');
  });

  test('works in a folder whose path is too long for a socket', async () => {
    const data = join(place.folder, 'a'.repeat(60), 'b'.repeat(60));
    const { launcher, endpoint } = await started({ LONGHAUL_DATA_DIR: data });

    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    expect(existsSync(join(data, 'appendonlydir'))).toBe(true);
    launcher.signal('SIGINT');
    await launcher.ended;
  });
});

describe('longhaul start with a misspelt variable', () => {
  test.each([
    ['in its processes', {}],
    ['in one process', { PATH: PATH_WITHOUT_REDIS }],
  ])('names it once, with its nearest spelling: %s', async (_, env) => {
    const { launcher } = await started({ LONGHAUL_TOKEN: 'ada:token-of-ada-0001', ...env });

    expect(launcher.stderr()).toBe('longhaul: LONGHAUL_TOKEN is not read: did you mean LONGHAUL_TOKENS?\n');
    expect(launcher.stdout()).not.toContain('LONGHAUL_TOKEN');
  });
});

describe('longhaul start that cannot', () => {
  test('says in one line that the folder is in use', async () => {
    await started();
    const { code, stdout, stderr } = await place.run(['start'], { PORT: '0' }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^longhaul: already running with the data folder .* \(process \d+\): .*\n$/);
  });

  test('says in one line that the port is taken, before it starts anything', async () => {
    const { port, release } = await takenPort();
    const { code, stdout, stderr } = await place.run(['start'], { PORT: String(port) }).ended;
    await release();

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^longhaul: port ${port} on 127.0.0.1 is taken: .*PORT=\\d+\n$`));
    expect(readdirSync(join(place.folder, '.longhaul'))).toEqual([]);
  });

  test('says in one line that the data folder cannot be written', async () => {
    writeFileSync(join(place.folder, 'file'), '');
    const { code, stderr } = await place.run(['start'], { LONGHAUL_DATA_DIR: 'file' }).ended;

    expect(code).toBe(1);
    expect(stderr).toMatch(/^longhaul: the data folder .*file cannot be written \(EEXIST\): .*\n$/);
  });

  test('names a wrong setting', async () => {
    const { code, stderr } = await place.run(['start'], { PORT: 'http' }).ended;

    expect(code).toBe(1);
    expect(stderr).toMatch(/^longhaul: PORT=http: .*\n$/);
  });

  test.each([
    ['its processes', {}],
    ['one process', { PATH: PATH_WITHOUT_REDIS }],
  ])('says once, in one line, that a module of features cannot be loaded: in %s', async (_, env) => {
    writeFileSync(join(place.folder, 'broken.mjs'), "throw new TypeError('it broke while\\nloading');");
    const { code, stdout, stderr } = await place.run(['start'], { PORT: '0', LONGHAUL_FEATURES: './broken.mjs', ...env }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('longhaul: Feature module "./broken.mjs" cannot be loaded: it broke while\n');
  });

  test('refuses to keep tasks in memory in production', async () => {
    const { code, stdout, stderr } = await place.run(['start'], { PATH: PATH_WITHOUT_REDIS, NODE_ENV: 'production' }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^longhaul: no Redis: .*REDIS_URL.*\n$/);
  });
});

describe('longhaul start for others', () => {
  const open = { PATH: PATH_WITHOUT_REDIS, HOST: '0.0.0.0' };

  test('shows an address that can be reached, and that everyone is let in', async () => {
    const { launcher, endpoint } = await started({ ...open, LONGHAUL_ALLOW_ANONYMOUS: '1' });

    expect(endpoint.hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/healthz', endpoint))).status).toBe(200);
    expect(launcher.stdout()).not.toContain('0.0.0.0');
    expect(launcher.stdout()).toMatch(/^ +Auth +anonymous$/m);
  });

  test('shows where clients put their token, and no token', async () => {
    const { launcher, endpoint } = await started({ ...open, LONGHAUL_TOKENS: 'ada:token-of-ada-0001' });

    expect((await fetch(endpoint, { method: 'POST' })).status).toBe(401);
    const { href: url } = endpoint;
    const server = { type: 'http', url, headers: { Authorization: 'Bearer <token>' } };
    expect(launcher.stdout()).toContain(`claude mcp add --transport http longhaul ${url} --header "Authorization: Bearer <token>"`);
    expect(launcher.stdout()).toContain(JSON.stringify({ mcpServers: { longhaul: server } }));
    expect(launcher.stdout()).toMatch(/^ +Auth +tokens$/m);
    expect(launcher.stdout()).not.toContain('token-of-ada');
  });
});

describe('longhaul start without a Redis', () => {
  test('runs in one process, says that it is ephemeral, and writes nothing', async () => {
    const { launcher, endpoint } = await started({ PATH: PATH_WITHOUT_REDIS });

    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    expect(launcher.stdout()).toMatch(/^ +Redis +none found: ephemeral/m);
    expect(place.family(launcher)).toEqual([launcher.pid]);
    expect(existsSync(join(place.folder, '.longhaul'))).toBe(false);
    launcher.signal('SIGINT');
    expect((await launcher.ended).code).toBe(0);
  });
});

describe('longhaul start with REDIS_URL', () => {
  test('uses that Redis, starts none of its own, and does not show the password', async () => {
    const { url, prefix, cleanUp } = openTestRedis();
    const withPassword = new URL(url);
    withPassword.username = 'default';
    withPassword.password = 'any-password';
    const { launcher, endpoint } = await started({ REDIS_URL: withPassword.href, LONGHAUL_KEY_PREFIX: prefix });

    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    expect(launcher.stdout()).not.toContain('any-password');
    expect(launcher.stdout()).toContain('(REDIS_URL)');
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

/** What a killed listener leaves: the file of a socket that nobody serves. */
async function leaveStaleSocket(path: string): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', script]), 'exit');
  expect(existsSync(path)).toBe(true);
}
