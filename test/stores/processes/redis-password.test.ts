/** Tests that no process writes the password of Redis, also when the password or its address is wrong. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';

const RIGHT = 'right-swordfish';
const WRONG = 'wrong-swordfish';

const path = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

/** Everything that takes a REDIS_URL. */
const COMMANDS = {
  gateway: [path('apps/gateway/dist/main.js')],
  worker: [path('apps/worker/dist/main.js')],
  'longhaul start': [path('bin/longhaul.mjs'), 'start'],
  'longhaul stdio': [path('bin/longhaul.mjs'), 'stdio'],
} as const;
const commands = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

let redis: ChaosRedis;
const children: ChildProcess[] = [];

beforeAll(async () => {
  redis = await ChaosRedis.start('everysec');
  await redis.client.config('SET', 'requirepass', RIGHT);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await redis.close();
});

interface Run {
  readonly child: ChildProcess;
  output(): string;
}

function run(command: keyof typeof COMMANDS, REDIS_URL: string, env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, COMMANDS[command], {
    env: { ...INHERITED_ENV, PORT: '0', LOG_LEVEL: 'trace', REDIS_URL, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return { child, output: () => output };
}

async function failed(...args: Parameters<typeof run>): Promise<string> {
  const { child, output } = run(...args);
  expect(await once(child, 'close')).toEqual([1, null]);
  return output();
}

/** Those that are no JSON, which are for people. */
function plainLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
}

const WRONG_PASSWORDS: [string, () => string, Record<string, string>][] = [
  ['in front of the host', () => `redis://default:${WRONG}@127.0.0.1:${redis.port}`, {}],
  ['in the query', () => `redis://127.0.0.1:${redis.port}?password=${WRONG}`, {}],
  ['for a cluster', () => `redis://default:${WRONG}@127.0.0.1:${redis.port}`, { LONGHAUL_REDIS_CLUSTER: '1' }],
];
const WRONG_ADDRESSES: [string, string][] = [
  ['redis//:swordfish@127.0.0.1', 'REDIS_URL: must be a redis://, rediss:// or unix:// URL'],
  ['http://me:swordfish@127.0.0.1', 'REDIS_URL: must be a redis://, rediss:// or unix:// URL'],
  ['redis://127.0.0.1:swordfish', 'Redis cannot be at ***: name one server'],
  ['redis://:swordfish%@127.0.0.1', 'REDIS_URL has a % that begins no escape such as %40'],
];
/** All read an address with the same code, so the forms of one are tried on the gateway. */
const tried = <T>(command: string, all: readonly T[]): readonly T[] => (command === 'gateway' ? all : scaled(all.slice(0, 1), all));

describe.each(commands)('%s', (command) => {
  it.each(tried(command, WRONG_PASSWORDS))('says that a password is wrong %s, and does not show it', async (_, url, env) => {
    const output = await failed(command, url(), env);
    expect(output).not.toContain('swordfish');
    const [line, ...more] = plainLines(output);
    expect(line).toMatch(/Redis at redis:\/\/127\.0\.0\.1:\d+ refuses the connection: WRONGPASS/);
    expect(more).toEqual([]);
  });

  it.each(tried(command, WRONG_ADDRESSES))('says in one line what is wrong with %s, and does not show it', async (url, says) => {
    const output = await failed(command, url);
    expect(output).not.toContain('swordfish');
    expect(plainLines(output)).toEqual([expect.stringContaining(says)]);
  });
});

it.each(['gateway', 'worker'] as const)('a %s logs that its password is not right any more, and does not show it', async (app) => {
  await redis.client.config('SET', 'requirepass', RIGHT);
  const { output } = run(app, `redis://:${RIGHT}@127.0.0.1:${redis.port}`, { LONGHAUL_HEALTH_PORT: String(await freePort()) });
  await waitUntil(() => /"msg":"(listening|taking jobs)"/.test(output()), { description: 'it has started' });
  await redis.client.config('SET', 'requirepass', 'another-swordfish');
  await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await waitUntil(() => output().includes('WRONGPASS'), { description: 'it cannot connect again' });
  expect(output()).not.toContain('swordfish');
  expect(output()).toMatch(/refuses the connection: WRONGPASS|"command":"(hello|auth)"/);
});
