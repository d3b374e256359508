/** Tests gateways and workers with wrong clocks, as processes: what that may change, and what not. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AppProcess, killApp, startApp } from '../../../support/chaos-process.js';
import { ChaosRedis } from '../../../support/chaos-redis.js';
import { skewedBy } from '../../../support/skewed-clock.js';
import { waitUntil } from '../../../support/wait-until.js';
import { INITIALIZE, modern, older } from '../../../support/wire-client.js';

const MINUTE_MS = 60_000;

let redis: ChaosRedis;
const processes: AppProcess[] = [];

beforeEach(async () => {
  redis = await ChaosRedis.start('everysec');
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map(killApp));
  await redis.close();
});

async function start(app: 'gateway' | 'worker', aheadMs: number, more: Record<string, string> = {}): Promise<AppProcess> {
  const features = fileURLToPath(new URL('./features.ts', import.meta.url));
  const env = { REDIS_URL: redis.url, PORT: '0', LONGHAUL_FEATURES: features, ...more };
  const started = await startApp({ app, env, log: join(redis.folder, `${app}.log`), execArgv: skewedBy(aheadMs) });
  if (started === undefined) throw new Error(`The ${app} did not start.`);
  processes.push(started);
  return started;
}

type Task = Readonly<Record<string, unknown>>;
const create = async (url: string, name: string, args: object): Promise<string> =>
  String((await modern(url, 'tools/call', { name, arguments: args })).result?.['taskId']);
const untilStatus = (url: string, taskId: string, status: string): Promise<Task> =>
  waitUntil(
    async () => {
      const { result } = await modern(url, 'tasks/get', { taskId });
      return result?.['status'] === status && result;
    },
    { description: `task ${taskId} is ${status}` },
  );

describe.each([
  ['a gateway that is a minute behind, and a worker that is a minute ahead', -MINUTE_MS, MINUTE_MS],
  ['a gateway that is a minute ahead, and a worker that is a minute behind', MINUTE_MS, -MINUTE_MS],
])('%s', (_title, gatewayAheadMs, workerAheadMs) => {
  it('keep results for their ttl, list them, and hold the limits', async () => {
    const limits = { LONGHAUL_MAX_TASKS_PER_OWNER: '2', LONGHAUL_TOKENS: 'ada:sixteen-characters' };
    const headers = { authorization: 'Bearer sixteen-characters' };
    const [{ url }] = await Promise.all([start('gateway', gatewayAheadMs, limits), start('worker', workerAheadMs)]);
    const session = (await older(url, 'initialize', INITIALIZE, undefined, headers)).session ?? '';
    const ask = (method: string, params: Record<string, unknown>) => older(url, method, params, session, headers);
    const begin = async (ttl: number): Promise<string> => {
      const { result } = await ask('tools/call', { name: 'ask', arguments: {}, task: { ttl } });
      return (result?.['task'] as { taskId: string } | undefined)?.taskId ?? '';
    };
    const statusOf = async (taskId: string) => (await ask('tasks/get', { taskId })).result?.['status'];
    const ids = [await begin(3 * MINUTE_MS), await begin(MINUTE_MS)];
    expect(await ask('tools/call', { name: 'ask', arguments: {}, task: {} })).toMatchObject({ error: { code: -32000 } });
    for (const taskId of ids) await waitUntil(async () => (await statusOf(taskId)) === 'input_required', { description: 'it asks' });
    for (const taskId of ids) expect((await ask('tasks/cancel', { taskId })).error).toBeUndefined();

    const left = await Promise.all(ids.map((taskId) => redis.client.pttl(`lh:{${taskId}}:view`)));
    for (const [index, ms] of [3 * MINUTE_MS, MINUTE_MS].entries()) {
      expect(left[index]).toBeGreaterThan(ms - 20_000);
      expect(left[index]).toBeLessThanOrEqual(ms);
    }
    const third = await begin(MINUTE_MS);
    const { result } = await ask('tasks/list', {});
    const listed = ((result?.['tasks'] ?? []) as { taskId: string }[]).map(({ taskId }) => taskId);
    expect(listed.toSorted()).toEqual([...ids, third].toSorted());
  });

  it('end a task that a worker completes, and keep its result', async () => {
    const [{ url }] = await Promise.all([start('gateway', gatewayAheadMs), start('worker', workerAheadMs)]);
    const taskId = await create(url, 'ask', {});
    const { inputRequests } = await untilStatus(url, taskId, 'input_required');
    const [key = ''] = Object.keys(inputRequests as object);
    await modern(url, 'tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: { name: 'Ada' } } } });
    const { ttlMs } = await untilStatus(url, taskId, 'completed');
    const left = await redis.client.pttl(`lh:{${taskId}}:events`);
    expect(left).toBeGreaterThan(Number(ttlMs) - 20_000);
    expect(left).toBeLessThanOrEqual(Number(ttlMs));
  });

  it('end no task before its time is over', async () => {
    const [{ url }] = await Promise.all([start('gateway', gatewayAheadMs), start('worker', workerAheadMs)]);
    const { createdAt, lastUpdatedAt } = await untilStatus(url, await create(url, 'limited', {}), 'completed');
    expect(Math.abs(Date.parse(String(lastUpdatedAt)) - Date.parse(String(createdAt)))).toBeLessThan(MINUTE_MS / 2);
  });

  it('have a task sleep as long as its worker says', async () => {
    const [{ url }] = await Promise.all([start('gateway', gatewayAheadMs), start('worker', workerAheadMs)]);
    const beganAt = performance.now();
    await untilStatus(url, await create(url, 'sleep', { ms: 500, times: 2 }), 'completed');
    const took = performance.now() - beganAt;
    expect(took).toBeGreaterThan(1_000);
  });
});

describe('two workers whose clocks differ', () => {
  const AHEAD_MS = 10 * MINUTE_MS;

  it('end every sleep, and run each pass once', async () => {
    const [{ url }] = await Promise.all([start('gateway', 0), start('worker', AHEAD_MS), start('worker', -AHEAD_MS)]);
    const ids = await Promise.all(Array.from({ length: 20 }, () => create(url, 'sleep', { ms: 500, times: 2 })));
    for (const taskId of ids) await untilStatus(url, taskId, 'completed');
    for (const taskId of ids) {
      const events = await redis.client.xrange(`lh:{${taskId}}:events`, '-', '+');
      expect(events.filter(([, [, type]]) => type === 'PassStarted')).toHaveLength(3);
    }
  });
});
