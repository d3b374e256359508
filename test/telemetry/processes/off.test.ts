/** Tests that telemetry costs nothing if it is not set: none of its code is loaded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../../support/deployment.js';
import { TestFolder } from '../../support/test-folder.js';
import { modern } from '../../support/wire-client.js';

const PRELOAD = ['--import', fileURLToPath(new URL('./list-modules.mjs', import.meta.url))];
const FEATURES = fileURLToPath(new URL('./features.ts', import.meta.url));

describe.each(['gateway', 'worker'] as const)('a %s', (app) => {
  const folder = new TestFolder();
  let deployment: Deployment;

  beforeAll(() => {
    deployment = Deployment.create({ LONGHAUL_FEATURES: FEATURES });
  });
  afterAll(async () => {
    await deployment.close();
    folder.remove();
  });

  /** The modules of telemetry and of logs for people that the process loads. */
  async function loaded(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const file = join(folder.path, `${Object.keys(env).join('-')}.txt`);
    const started = await deployment[app]({ ...env, LOADED_MODULES: file }, PRELOAD);
    if (app === 'gateway') await modern(started.url, 'tools/list', {});
    await started.stop();
    const modules = readFileSync(file, 'utf8').split('\n');
    expect(modules.some((url) => url.includes('/pino/'))).toBe(true);
    return modules.filter((url) => /@opentelemetry|telemetry\/sdk|pino-pretty/.test(url));
  }

  it('loads nothing of it while no setting asks for it, and all of it when one does', async () => {
    expect(await loaded({})).toEqual([]);
    const on = await loaded({ LONGHAUL_METRICS_PORT: String(await freePort()), LOG_FORMAT: 'pretty' });
    for (const module of ['sdk-metrics', 'exporter-prometheus', 'pino-pretty'])
      expect(on).toEqual(expect.arrayContaining([expect.stringContaining(module)]));
  });
});
