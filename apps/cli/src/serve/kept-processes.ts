import { rmSync } from 'node:fs';

import { AFTER_DRAIN_MS, startApp } from '../processes/app-process.js';
import type { Cleanup } from '../processes/cleanup.js';
import { keepApp, type KeptApp } from '../processes/kept-app.js';
import type { Redis } from '../redis/choose-redis.js';
import type { Settings } from '../settings.js';
import type { Serving } from './serving.js';

/** Where the gateway listens, and who is told what. */
export interface KeptProcessesOptions {
  readonly socketPath: string;
  /** Aborts when all is to end. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Gateway and worker as processes of their own, which meet in Redis and are started again when they die. The client waits
 * for the gateway only, so that the worker is started after it; what the worker is to do waits in Redis.
 *
 * @throws UserError when the gateway does not start
 */
export async function serveInKeptProcesses(
  redis: Redis,
  settings: Settings,
  cleanup: Cleanup,
  { socketPath, signal, log }: KeptProcessesOptions,
): Promise<Serving> {
  const { url: REDIS_URL, lifeline } = redis;
  const common = { env: { ...settings.env, REDIS_URL }, lifeline, out: process.stderr };
  const startGateway = () => {
    // One that was killed has left its file behind; a pipe of Windows is none.
    if (process.platform !== 'win32') rmSync(socketPath, { force: true });
    return startApp({ ...common, name: 'gateway', args: [socketPath] });
  };
  const apps: KeptApp[] = [];
  cleanup.add(async () => {
    await Promise.all(apps.map((app) => app.stop(settings.gateway.drainMs + AFTER_DRAIN_MS)));
  });
  cleanup.onInsist(() => {
    for (const app of apps) app.kill();
  });
  const gateway = keepApp({ start: startGateway, signal, log });
  apps.push(gateway);
  const { url } = await gateway.ready;
  if (url === undefined) throw new Error('The gateway does not say where it listens.');
  const worker = keepApp({ start: () => startApp({ ...common, name: 'worker' }), signal, log });
  apps.push(worker);
  return { url, failed: Promise.race([gateway.failed, worker.failed]) };
}
