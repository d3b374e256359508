/** Tests starters in processes of their own: several with the same keys, of which some are killed, and one that ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type * as example from '../../../docs/examples/hotel-app.js';
import { Deployment } from '../../support/deployment.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';
import { readyMessage } from '../../support/ready-message.js';
import { showIfTestFails } from '../../support/server-output.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';

/** Not used: it has the compiler check the example as well. */
export type CheckedExample = typeof example;

const KEYS = 40;
const KILLED_AFTER = 7;
const PROGRAM = new URL('../../fixtures/starter-program.mjs', import.meta.url).pathname;
const EXAMPLE = new URL('../../../docs/examples/plan-trip.ts', import.meta.url).pathname;

let deployment: Deployment;
beforeAll(async () => {
  deployment = Deployment.create({ LONGHAUL_FEATURES: EXAMPLE });
  await deployment.worker();
});
afterAll(() => deployment.close());

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** A program that starts a task for each key, and says after each which one it is. */
function program(keys: number): { readonly child: ChildProcess; readonly started: Map<string, string> } {
  const { REDIS_URL: redis = '', LONGHAUL_DATA_DIR: folder = '' } = deployment.store.env;
  const place = redis === '' ? { dataFile: join(folder, 'longhaul.db') } : { redis };
  const child = fork(PROGRAM, [JSON.stringify(place), String(keys)], {
    env: { ...INHERITED_ENV, ...deployment.store.env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.add(child);
  showIfTestFails(child);
  const started = new Map<string, string>();
  child.on('message', ({ key, task }: { key: string; task: string }) => started.set(key, task));
  return { child, started };
}

it('start one task for each key, though several start it at once and some are killed', async () => {
  const killed = program(KEYS);
  const others = [program(KEYS), program(KEYS)];
  killed.child.on('message', () => killed.started.size === KILLED_AFTER && killed.child.kill('SIGKILL'));
  expect(await once(killed.child, 'exit')).toEqual([null, 'SIGKILL']);
  // Takes up what the killed one may have left half done.
  const next = program(KEYS);
  const ends = await Promise.all([...others, next].map(({ child }) => once(child, 'exit')));
  expect(ends.map(([code]) => code as unknown)).toEqual([0, 0, 0]);

  const known = next.started;
  expect(known.size).toBe(KEYS);
  for (const { started } of [killed, ...others]) for (const [key, task] of started) expect(task, key).toBe(known.get(key));
  expect((await deployment.store.views()).filter(({ tool }) => tool === 'find-hotel')).toHaveLength(KEYS);
});

it('are the application of the document, which gives each booking its hotel, also after it was killed', async () => {
  const folder = new TestFolder();
  const run = (module: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess => {
    const child = fork(module, args, { env: { ...INHERITED_ENV, ...env }, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    children.add(child);
    showIfTestFails(child);
    return child;
  };
  const worker = run(new URL('../../../apps/worker/dist/main.js', import.meta.url).pathname, [], {
    LONGHAUL_DATA_DIR: folder.path,
    LONGHAUL_FEATURES: EXAMPLE,
    LOG_LEVEL: 'warn',
  });
  await readyMessage(worker);
  const port = String(await freePort());
  const application = (): ChildProcess =>
    run(new URL('../../../docs/examples/hotel-app.ts', import.meta.url).pathname, [folder.dataFile, port]);
  const get = async (path: string): Promise<string> => {
    let text = '';
    const isThere = async (): Promise<boolean> => {
      text = await fetch(`http://127.0.0.1:${port}/${path}`, { headers: { connection: 'close' } }).then(
        async (response) => response.text(),
        () => '',
      );
      return text !== '';
    };
    await waitUntil(isThere, { description: 'the application answers' });
    return text;
  };
  const first = application();
  expect(await get('b17/Rome')).toBe('Hotel Rome');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = application();
  expect(await get('b17/Rome')).toBe('Hotel Rome');
  expect(await get('b17/Oslo')).toContain('The idempotency key was used for another call.');
  second.kill('SIGTERM');
  expect(await once(second, 'exit')).toEqual([0, null]);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  folder.remove();
});
