// Starts two gateways and a worker for an external test suite: each request goes to the other gateway.
import { randomBytes } from 'node:crypto';

import { Redis } from 'ioredis';

import { startRoundRobin } from '../test/support/round-robin.ts';
import { provideRedis } from './test-redis.mjs';

const DRAIN_MS = 1_000;

/** How long a process may take to end. */
export const STOP_GRACE_MS = DRAIN_MS + 5_000;

/**
 * @typedef {object} LonghaulServer
 * @property {import('../test/support/round-robin.ts').RoundRobin} proxy
 * @property {NodeJS.ProcessEnv} env the environment of each of the processes
 * @property {Promise<string>} failed resolves with the reason when one of them ends by itself
 * @property {() => Promise<void>} replaceGateways starts two others, and kills the first two in the middle of their work
 * @property {() => Promise<void>} replaceWorker kills it in the middle of its work, and starts another one
 */

/**
 * Removes what the run has left in a Redis that stays.
 *
 * @param {string} url
 * @param {string} prefix
 */
async function removeKeys(url, prefix) {
  const redis = new Redis(url);
  for (const match of [`${prefix}*`, `{${prefix}*`]) {
    for await (const keys of redis.scanStream({ match, count: 1_000 }))
      await Promise.all(keys.map((/** @type {string} */ key) => redis.del(key)));
  }
  await redis.quit();
}

/**
 * @param {string} name of the suite
 * @param {NodeJS.ProcessEnv} settings
 * @param {import('../apps/cli/dist/testing.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 * @param {Readonly<Record<string, string>>} [headers] that each request gets from the proxy
 * @returns {Promise<LonghaulServer>}
 */
export async function startLonghaulServer(name, settings, cleanup, signal, headers) {
  const redis = await provideRedis();
  cleanup.add(() => redis.stop());
  const prefix = `${name}-${randomBytes(6).toString('hex')}`;
  if (process.env['REDIS_URL']) cleanup.add(() => removeKeys(redis.url, prefix));
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    LOG_LEVEL: 'warn',
    LONGHAUL_DRAIN_MS: String(DRAIN_MS),
    REDIS_URL: redis.url,
    LONGHAUL_KEY_PREFIX: prefix,
    ...settings,
  };
  const apps = await startApps(env, cleanup, signal);
  const [first, second, started] = await Promise.all([apps.start('gateway'), apps.start('gateway'), apps.start('worker')]);
  let gateways = [first, second];
  let worker = started;
  const addresses = () => gateways.flatMap(({ url }) => url ?? []);
  const proxy = await startRoundRobin(addresses(), headers);
  cleanup.add(() => proxy.close());
  const replaceGateways = async () => {
    const old = gateways;
    gateways = await Promise.all([apps.start('gateway'), apps.start('gateway')]);
    proxy.targets = addresses();
    await Promise.all(old.map((gateway) => gateway.kill()));
  };
  const replaceWorker = async () => {
    await worker.kill();
    worker = await apps.start('worker');
  };
  return { proxy, env, failed: apps.failed, replaceGateways, replaceWorker };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {import('../apps/cli/dist/testing.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 */
async function startApps(env, cleanup, signal) {
  const { startApp } = await import('../apps/cli/dist/testing.js');
  /** @type {Set<import('../apps/cli/dist/testing.js').AppProcess>} */
  const running = new Set();
  /** @type {PromiseWithResolvers<string>} */
  const { promise: failed, resolve: fail } = Promise.withResolvers();
  cleanup.add(async () => void (await Promise.all([...running].map((app) => app.stop(STOP_GRACE_MS)))));
  cleanup.onInsist(() => running.forEach((app) => app.kill()));
  /** @param {'gateway' | 'worker'} name */
  const start = async (name) => {
    const app = startApp({ name, env });
    running.add(app);
    void app.ended.then((how) => running.has(app) && fail(`the ${name} ended during the run (${how})`));
    const { url } = await app.ready(signal);
    const kill = async () => {
      running.delete(app);
      app.kill();
      await app.ended;
    };
    return { url, kill };
  };
  return { start, failed };
}

/**
 * Runs what starts processes, until it has ended or somebody stops it; then all of them are ended.
 *
 * @template T
 * @param {(cleanup: import('../apps/cli/dist/testing.js').Cleanup, signal: AbortSignal) => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function untilStopped(run) {
  const { createCleanup, listenForStopSignals } = await import('../apps/cli/dist/testing.js');
  const cleanup = createCleanup();
  const stop = listenForStopSignals(() => cleanup.insist());
  try {
    return await run(cleanup, stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new Error('the run was stopped') : error;
  } finally {
    for (const failure of await cleanup.run()) process.stdout.write(`${String(failure)}\n`);
    stop.dispose();
  }
}
