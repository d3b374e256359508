/**
 * A deployment in which several things are wrong at once: a tool has failed for some tenants, passes that never end hold its worker,
 * questions wait for somebody, and a history no longer fits the code. docs/operating.md puts it right, and tests do as it says.
 */
import { join } from 'node:path';
import type { Store } from '@longhaul/sessions';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { rowOf } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import type { Launcher, Workplace } from '../../cli/support/launcher.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';
import { modern } from '../../support/wire-client.js';

/** Tasks that have gone well, of a hundred tenants. */
const ENDED = scaled(500, 20_000);
export const FAILED = 60;
export const QUESTIONS = 30;
/** How many passes its worker runs at once, and as many never end. */
const SLOTS = 2;
const WAITING = 5;
/** Whose tasks have failed. */
const TENANTS = ['tenant 3', 'tenant 7'];
export const REASON = 'BANK_SAYS_NO';

/** @param steps of the tool `ship`: a deployment has changed them while a task of it slept */
const shop = (steps: string): string => `
  import { defineTool } from '@longhaul/mcp-features';
  import { z } from 'zod';
  const order = z.object({ order: z.string() });
  export const features = [
    defineTool({ name: 'charge', description: 'Charges.', input: order, task: 'required', async run({ order }, context) {
      return 'charged ' + await context.step('charge', () => order);
    } }),
    defineTool({ name: 'survey', description: 'Asks.', input: order, task: 'required', async run(_order, context) {
      const { content } = await context.elicit(z.object({ count: z.int().min(1).max(9) }), 'How many?');
      return 'counted ' + content?.count;
    } }),
    defineTool({ name: 'crawl', description: 'Never ends.', input: order, task: 'required', async run(_order, context) {
      await context.step('fetch', ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
    } }),
    defineTool({ name: 'ship', description: 'Ships.', input: order, task: 'required', async run({ order }, context) { ${steps} } }),
  ];`;

const BEFORE = "await context.step('wrap', () => order); await context.sleep('glue dries', 3_000); return 'shipped';";
const AFTER = "await context.step('box', () => order); await context.sleep('glue dries', 3_000); return 'shipped';";

/** What a test has to find, to compare. */
export interface BrokenDeployment {
  /** Where its operator API listens, and a token for it. */
  readonly ops: { readonly url: string; readonly token: string };
  readonly crawling: readonly string[];
  readonly shipping: string;
}

/** Prepares it in a folder; the processes end with the place. */
export async function breakDeployment(place: Workplace): Promise<BrokenDeployment> {
  place.install('@longhaul/mcp-features', 'zod');
  const token = 'f1ve.tired.operators';
  const env = {
    PORT: '0',
    LONGHAUL_WORKER_CONCURRENCY: String(SLOTS),
    LONGHAUL_NO_WORKER_MS: '1000',
    LONGHAUL_OPS_PORT: '0',
    LONGHAUL_OPS_TOKENS: `ada:${token}:operate`,
  };
  place.write('shop.mjs', shop(BEFORE));
  const first = place.run(['start', 'shop.mjs'], env);
  const shipping = await call(await first.endpoint(), 'ship');
  for (let count = 0; count < QUESTIONS; count++) await call(await first.endpoint(), 'survey');
  const store = await openSqliteStore({ path: join(place.folder, '.longhaul/longhaul.db'), sync: 'normal', onError: fail });
  try {
    await until('all questions are asked', async () => (await statuses(store)).input_required === QUESTIONS);
    first.signal('SIGTERM');
    await first.ended;
    for (let count = 0; count < ENDED; count++) await write(store, `tenant ${count % 100}`);
    for (let count = 0; count < FAILED; count++) await write(store, TENANTS[count % TENANTS.length] ?? '', REASON);

    place.write('shop.mjs', shop(AFTER));
    const second = place.run(['start', 'shop.mjs'], env);
    const endpoint = await second.endpoint();
    await until('the code no longer fits a history', async () => (await statuses(store)).failed === FAILED + 1);
    const crawling = await Promise.all(Array.from({ length: SLOTS }, () => call(endpoint, 'crawl')));
    await until('they run', async () => (await Promise.all(crawling.map((taskId) => isRunning(store, taskId)))).every(Boolean));
    await until('their worker has said so', async () => (await said(store)) === SLOTS);
    for (let count = 0; count < WAITING; count++) await call(endpoint, 'charge');
    return { ops: { url: addressOf(second), token }, crawling, shipping };
  } finally {
    await store.close();
  }
}

/** Whether nothing is wrong any more: everything has ended well but what was cancelled, and what was done again. */
export async function isPutRight(place: Workplace): Promise<boolean> {
  const store = await openSqliteStore({ path: join(place.folder, '.longhaul/longhaul.db'), sync: 'normal', onError: fail });
  try {
    const { working, input_required: asking, completed, failed, cancelled } = await statuses(store);
    // Those that failed stay as they are; what was done again are tasks of their own.
    const expected = { completed: ENDED + QUESTIONS + WAITING + FAILED + 1, failed: FAILED + 1, cancelled: SLOTS };
    return working + asking === 0 && completed === expected.completed && failed === expected.failed && cancelled === expected.cancelled;
  } finally {
    await store.close();
  }
}

async function call(endpoint: URL, name: string): Promise<string> {
  const { result } = await modern(endpoint.href, 'tools/call', { name, arguments: { order: 'o-1' } });
  return String(result?.['taskId']);
}

/** A task of `charge` that has ended. */
async function write({ events }: Store, owner: string, reason?: string): Promise<void> {
  const history = new TaskHistory();
  const requests = [history.create({ tool: 'charge', arguments: { order: 'o-2' }, ttlMs: 86_400_000, owner }), history.claim()];
  const { epoch } = history.state;
  const at = history.startedAt;
  const error = { code: -32_603, message: 'the bank says no', data: { reason: reason ?? '' } };
  const end = { type: 'CompleteTask', at, epoch, result: { content: [] } } as const;
  requests.push(history.append([reason === undefined ? end : { type: 'FailTask', at, epoch, error }], epoch));
  for (const request of requests) {
    const answer = await events.append({ ...request, row: rowOf(request.projection.view) });
    if (answer !== 'appended') throw new Error(answer);
  }
}

async function statuses({ operators }: Store) {
  return (await operators.counts()).byStatus;
}

async function isRunning({ events }: Store, taskId: string): Promise<boolean> {
  const [view] = await events.views([taskId as never]);
  return view?.standing.phase === 'running';
}

/** How many passes the workers say that they run: they say it now and then. */
async function said({ workers }: Store): Promise<number> {
  return (await workers.live()).flatMap(({ running = [] }) => running).length;
}

function addressOf(launcher: Launcher): string {
  const address = /Operators +(\S+)/.exec(launcher.stdout())?.[1];
  if (address === undefined) throw new Error(launcher.stdout());
  return address;
}

function until(description: string, condition: () => Promise<boolean>): Promise<unknown> {
  return waitUntil(condition, { description });
}

function fail(error: unknown): never {
  throw error;
}
