/** What telemetry costs where nothing of it is set: nothing of it is loaded. */
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

  /** What of telemetry and of logs for people the process loads. */
  async function loaded(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const file = join(folder.path, `${Object.keys(env).join('-')}.txt`);
    const started = await deployment[app]({ ...env, LOADED_MODULES: file }, PRELOAD);
    if (app === 'gateway') await modern(started.url, 'tools/list', {});
    await started.stop();
    const modules = readFileSync(file, 'utf8').split('\n');
    expect(modules.some((url) => url.includes('/pino/'))).toBe(true);
    return modules.filter((url) => /@opentelemetry|telemetry\/sdk|pino-pretty/.test(url));
  }

  it('loads nothing of it while no setting asks for it', async () => {
    expect(await loaded({})).toEqual([]);
    expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' })).toEqual([]);
  });

  it('loads it when a setting asks for it', async () => {
    const port = String(await freePort());
    expect(await loaded({ LONGHAUL_METRICS_PORT: port })).toEqual(expect.arrayContaining([expect.stringContaining('sdk-metrics')]));
    expect(await loaded({ LOG_FORMAT: 'pretty' })).toEqual(expect.arrayContaining([expect.stringContaining('pino-pretty')]));
  });
});
