/**
 * Sends spoilt requests of both generations to a gateway process with a worker and Redis. Each answer is a message of the protocol, and
 * nothing of a request stays behind. `LONGHAUL_FUZZ_SEED` repeats a run.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppProcess, killApp, startApp } from '../../support/chaos-process.js';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { type Memory, memoryOf, PROBED } from '../../support/memory.js';
import { scaled } from '../../support/scale.js';
import { type Plan, plansOf, prepare } from './plan.js';
import { faultOf } from './verdict.js';
import { HungUp, type Received, send, type Sent } from './wire.js';
import { createWorld, replaceSession, type World } from './world.js';

const REQUESTS = Number(process.env['LONGHAUL_FUZZ_REQUESTS'] ?? scaled(2_000, 30_000));
/** After the first one, memory must not grow any more. */
const QUARTER = Math.ceil(REQUESTS / 4);
const SEED = Number(process.env['LONGHAUL_FUZZ_SEED'] ?? 20_260_728);
const AT_ONCE = 64;
const PREFIX = 'fuzz';
const BODY_LIMIT = 128 * 1_024;
/** Less than a process would keep if it only leaked the ids of its requests. For few requests the heap varies by more than that. */
const MAX_HEAP_GROWTH_BYTES = Math.max(4 * 1_024 * 1_024, 256 * (REQUESTS - QUARTER));
/** A process that is busy gives little back to the system, so this finds only what leaks outside of the heap, and much of it. */
const MAX_RSS_GROWTH_BYTES = 256 * 1_024 * 1_024;
const MAX_FAULTS_SHOWN = 20;

let redis: ChaosRedis;
let gateway: AppProcess;
let worker: AppProcess;

beforeAll(async () => {
  redis = await ChaosRedis.start('everysec');
  [gateway, worker] = await Promise.all([start('gateway'), start('worker')]);
});

afterAll(async () => {
  await Promise.all([killApp(gateway), killApp(worker)]);
  await redis.close();
});

const logOf = (app: string): string => join(redis.folder, `${app}.log`);

async function start(app: 'gateway' | 'worker'): Promise<AppProcess> {
  const env = {
    REDIS_URL: redis.url,
    PORT: '0',
    LONGHAUL_KEY_PREFIX: PREFIX,
    LONGHAUL_FEATURES: `@longhaul/everything,${fileURLToPath(new URL('./features.ts', import.meta.url))}`,
    LONGHAUL_BODY_LIMIT_BYTES: String(BODY_LIMIT),
    LONGHAUL_PAGE_SIZE: '5',
    LONGHAUL_MAX_TASKS_PER_OWNER: '100000',
    LONGHAUL_MAX_TASKS_PER_MINUTE: '100000',
    LONGHAUL_MAX_SESSIONS_PER_HOUR: '1000000',
    LONGHAUL_MAX_OPEN_SESSIONS: '1000000',
    LONGHAUL_MAX_REQUESTS_PER_SECOND: '1000000',
    LONGHAUL_MAX_REQUEST_BURST: '1000000',
    LONGHAUL_MAX_LISTEN_STREAMS: '1024',
  };
  const started = await startApp({ app, env, log: logOf(app), execArgv: PROBED });
  if (started === undefined) throw new Error(`The ${app} did not start.`);
  return started;
}

/** Sends what was planned, many at once. @returns what was wrong, in words */
async function sendAll(world: World, plans: readonly Plan[], first: number, counts: Map<string, number>): Promise<string[]> {
  const faults: string[] = [];
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < plans.length) {
      const index = next++;
      const plan = plans[index] as Plan;
      const { sent, session } = prepare(world, plan, BODY_LIMIT);
      const fault = await faultIn(sent, counts);
      if (fault !== undefined) faults.push(`request ${first + index}: ${fault}\n${describe(sent)}`);
      // A waiting request in a session would wait for its client to come back.
      if (session !== undefined && (sent.method === 'DELETE' || plan.group === 'slow')) await replaceSession(world, session);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return faults;
}

async function faultIn(sent: Sent, counts: Map<string, number>): Promise<string | undefined> {
  let answer: Received;
  try {
    answer = await send(gateway.url, sent);
  } catch (error) {
    if (error instanceof HungUp) return undefined;
    return `no answer: ${String(error)}`;
  }
  const kind = answer.isStream
    ? 'stream'
    : String((answer.messages[0] as { error?: { code: number } } | undefined)?.error?.code ?? 'result');
  counts.set(`${answer.status} ${kind}`, (counts.get(`${answer.status} ${kind}`) ?? 0) + 1);
  const fault = faultOf(sent, answer);
  return fault === undefined ? undefined : `${fault}\n  answer: ${answer.status} ${answer.text.slice(0, 500)}`;
}

function describe({ method, path, headers, body }: Sent): string {
  return `  ${method} /mcp${path} ${JSON.stringify(headers).slice(0, 800)}\n  ${body?.toString().slice(0, 800) ?? ''}`;
}

async function errorsIn(app: string): Promise<string[]> {
  const lines = (await readFile(logOf(app), 'utf8')).split('\n');
  return lines
    .filter((line) => !line.startsWith('{"level":') || Number(/^{"level":(\d+)/.exec(line)?.[1]) >= 50)
    .filter((line) => line !== '');
}

/**
 * Keys that stay for ever, except the keys of unfinished tasks, of dispatch, of the layout's version, of the shared secret and of the
 * queue.
 */
async function keysWithoutTtl(): Promise<string[]> {
  const keys = await redis.client.keys(`${PREFIX}:*`);
  const ttls = await Promise.all(keys.map((key) => redis.client.pttl(key)));
  return keys.filter(
    (key, index) =>
      ttls[index] === -1 && !/:\{[\da-f-]{36}\}:(events|view)$|^fuzz:(unfinished:.*|\{rows:.*|layout|lists|secret)$/.test(key),
  );
}

it(`answers ${REQUESTS} spoilt requests by the protocol, and keeps nothing of them`, { timeout: 300_000 }, async () => {
  process.stdout.write(`\nFuzz: seed ${SEED} (LONGHAUL_FUZZ_SEED=${SEED} repeats it)\n`);
  const plans = plansOf(SEED, REQUESTS);
  const world = await createWorld(gateway.url);
  const counts = new Map<string, number>();

  const startedAt = performance.now();
  const faults: string[] = [];
  const memory: (readonly [Memory, Memory])[] = [];
  for (let first = 0; first < REQUESTS; first += QUARTER) {
    faults.push(...(await sendAll(world, plans.slice(first, first + QUARTER), first, counts)));
    memory.push(await Promise.all([memoryOf(gateway), memoryOf(worker)]));
  }
  const [warm = [], end = []] = [memory[0], memory.at(-1)];
  const seconds = (performance.now() - startedAt) / 1_000;

  const growth = end.map(({ heap, rss }, index) => ({ heap: heap - (warm[index]?.heap ?? 0), rss: rss - (warm[index]?.rss ?? 0) }));
  const kib = growth.map(({ heap, rss }) => `${Math.round(heap / 1_024)} heap, ${Math.round(rss / 1_024)} RSS`);
  const counted = [...counts].map(([kind, count]) => `${kind}: ${count}`).toSorted((a, b) => (a < b ? -1 : 1));
  const mebibytes = memory.map(([{ rss }]) => Math.round(rss / 1_024 ** 2));
  process.stdout.write(`  the gateway’s RSS after each quarter: ${mebibytes.join(', ')} MiB\n`);
  process.stdout.write(`  ${seconds.toFixed(1)} s; growth in KiB: gateway ${kib[0]}; worker ${kib[1]}\n  ${counted.join(', ')}\n`);
  expect(faults.length, `seed ${SEED}:\n${faults.slice(0, MAX_FAULTS_SHOWN).join('\n')}`).toBe(0);
  expect(await Promise.all(['gateway', 'worker'].map(errorsIn))).toEqual([[], []]);
  expect(await keysWithoutTtl()).toEqual([]);
  for (const { heap, rss } of growth) {
    expect(heap).toBeLessThan(MAX_HEAP_GROWTH_BYTES);
    expect(rss).toBeLessThan(MAX_RSS_GROWTH_BYTES);
  }
});
