/** Tests the health check of the gateway's image, which also ends a gateway that does not answer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';

const SCRIPT = fileURLToPath(new URL('../../../apps/gateway/dist/health-check.js', import.meta.url));
const SILENCE_MS = 500;

let deployment: Deployment;
let gateway: Process;
let bystander: Process;
let port: number;

beforeAll(async () => {
  deployment = Deployment.create();
  port = await freePort();
  // Options of Node stand before the script.
  gateway = await deployment.gateway({ PORT: String(port) }, ['--stack-trace-limit=20']);
  bystander = await deployment.gateway({ PORT: String(await freePort()) });
});
afterAll(() => deployment.close());

async function check(PORT: number): Promise<number> {
  const child = spawn(process.execPath, [SCRIPT, String(SILENCE_MS)], { env: { ...INHERITED_ENV, PORT: String(PORT) }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return Number(code);
}

it('succeeds while the gateway serves', async () => {
  expect(await check(port)).toBe(0);
});

it('fails where nothing listens, and ends nothing', async () => {
  expect(await check(await freePort())).toBe(1);
  expect(await check(port)).toBe(0);
});

it('fails, and ends the gateway of its port and no other, when that takes connections and answers none', async () => {
  gateway.child.kill('SIGSTOP');
  const exited = once(gateway.child, 'exit');
  expect(await check(port)).toBe(1);
  expect(await exited).toEqual([null, 'SIGKILL']);
  expect((await fetch(new URL('/healthz', bystander.url))).ok).toBe(true);
});
