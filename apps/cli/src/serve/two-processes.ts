import { AFTER_DRAIN_MS, startApp, type AppProcess } from '../processes/app-process.js';
import type { Cleanup } from '../processes/cleanup.js';
import type { Redis } from '../redis/choose-redis.js';
import type { Settings } from '../settings.js';
import type { Serving } from './serving.js';

/**
 * Gateway and worker as processes of their own, which meet in Redis.
 *
 * @throws UserError when one of them does not start
 */
export async function serveInTwoProcesses(redis: Redis, settings: Settings, cleanup: Cleanup, signal: AbortSignal): Promise<Serving> {
  const { url: REDIS_URL, lifeline } = redis;
  const env = { ...settings.env, REDIS_URL };
  const gateway = startApp({ name: 'gateway', env, lifeline });
  const worker = startApp({ name: 'worker', env, lifeline });
  const apps: readonly AppProcess[] = [gateway, worker];
  cleanup.add(async () => {
    await Promise.all(apps.map((app) => app.stop(settings.gateway.drainMs + AFTER_DRAIN_MS)));
  });
  cleanup.onInsist(() => {
    for (const app of apps) app.kill();
  });
  const [{ url }] = await Promise.all([gateway.ready(signal), worker.ready(signal)]);
  if (url === undefined) throw new Error('The gateway does not say where it listens.');
  return { url, failed: Promise.race(apps.map(async (app) => `the ${app.name} ended unexpectedly (${await app.ended})`)) };
}
