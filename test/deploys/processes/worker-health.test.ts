/** Tests the health endpoint of a worker process, as an orchestrator asks it. */
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AppProcess, killApp, startApp } from '../../support/chaos-process.js';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { waitUntil } from '../../support/wait-until.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';

let redis: ChaosRedis;

beforeEach(async () => {
  redis = await ChaosRedis.start();
});
afterEach(() => redis.close());

async function check(port: number, path: string): Promise<{ code: number; status: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { code: response.status, status: ((await response.json()) as { status: string }).status };
}

const live = { code: 200, status: 'ok' };
const ready = { code: 200, status: 'ready' };

describe('a worker with LONGHAUL_HEALTH_PORT', () => {
  let worker: AppProcess;
  let port: number;

  beforeEach(async () => {
    port = await freePort();
    const env = { REDIS_URL: redis.url, LONGHAUL_HEALTH_PORT: String(port), LOG_LEVEL: 'silent' };
    worker = (await startApp({ app: 'worker', env, log: join(redis.folder, 'worker.log') }))!;
  });
  afterEach(() => killApp(worker));

  it('is ready while Redis answers, and alive all the time', async () => {
    expect([await check(port, '/livez'), await check(port, '/readyz')]).toEqual([live, ready]);
    await redis.kill();
    expect(await check(port, '/readyz')).toEqual({ code: 503, status: 'store unavailable' });
    expect(await check(port, '/livez')).toEqual(live);
    await redis.up();
    await waitUntil(async () => (await check(port, '/readyz')).code === 200, { description: 'the worker is ready again' });
  });

  it('ends on SIGTERM, also while somebody keeps a connection to it open', async () => {
    await check(port, '/livez');
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toEqual([0, null]);
  });
});

describe('a worker whose LONGHAUL_HEALTH_PORT is taken', () => {
  let holder: Server;

  beforeEach(async () => {
    holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
  });
  afterEach(async () => {
    holder.close();
    await once(holder, 'close');
  });

  it('does not start, and names the setting', async () => {
    const { port } = holder.address() as { port: number };
    const env = { ...INHERITED_ENV, REDIS_URL: redis.url, LONGHAUL_HEALTH_PORT: String(port) };
    const main = fileURLToPath(new URL('../../../apps/worker/dist/main.js', import.meta.url));
    const [code, stderr] = await new Promise<[unknown, string]>((resolve) => {
      execFile(process.execPath, [main], { env }, (error, _stdout, errors) => resolve([error?.code, errors]));
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^The worker cannot start: LONGHAUL_HEALTH_PORT=${port}: .*EADDRINUSE.*\n$`));
  });
});
