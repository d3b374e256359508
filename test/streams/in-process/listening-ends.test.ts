/** Tests how streams of tasks end: their clients miss nothing, and nothing of the streams is left. */
import { afterEach, describe, expect, it } from 'vitest';
import { TaskError, type TaskService } from '@longhaul/tasks';
import { countListeners } from '../../support/listeners.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';
import { startService, type TestService, type TestServiceOptions } from '../../support/gateway/gateway.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { listen, type Listener, SUBSCRIPTION } from '../../support/gateway-2026/listener.js';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { accept, startTask, untilStatus, update } from '../../support/gateway-2026/task-client.js';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function twoGateways(): Promise<TestGateways> {
  const gateways = await startGateways({}, { features: modernFeatures });
  cleanUps.push(() => gateways.close());
  return gateways;
}

/** A service in memory. @returns also where it listens */
async function service(options: TestServiceOptions = {}): Promise<TestService & { readonly url: string }> {
  const started = await startService(options);
  cleanUps.push(() => started.close());
  return { ...started, url: await started.listen() };
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** The loops of a service and its worker have a timer each while they rest, and none while they look. */
const LOOPS = 4;

/** The most timers when the streams are gone: timers of the tasks, once all of them sleep, and timers of the loops. */
async function timersAtRest({ store }: TestService, sleeping: number): Promise<number> {
  await waitUntil(async () => (await store.load.queue()).delayed === sleeping, { description: 'all tasks sleep' });
  return timers() + LOOPS;
}

describe('a gateway that shuts down', () => {
  it('ends its streams with an empty result, and their clients miss nothing at another gateway', async () => {
    const gateways = await twoGateways();
    const client = modernClient(gateways.second);
    const { taskId } = await startTask(client, 'ask-twice');
    const asked = await untilStatus(client, taskId, 'input_required');
    const streams = [
      await listen(gateways.first, { taskIds: [taskId] }, { id: 'tasks only' }),
      await listen(gateways.first, { taskIds: [taskId], toolsListChanged: true }, { id: 2 }),
      await listen(gateways.first, { toolsListChanged: true }, { id: 'no tasks' }),
    ];
    await Promise.all(streams.slice(0, 2).map((stream) => stream.status(taskId, 'input_required')));
    await gateways.first.app.close();
    await Promise.all(streams.map((stream) => stream.ended()));
    for (const [at, id] of (['tasks only', 2, 'no tasks'] as const).entries())
      expect(streams[at]?.all().at(-1)).toEqual({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', _meta: expect.objectContaining({ [SUBSCRIPTION]: id }) as object },
      });
    await update(client, taskId, { [Object.keys(asked.inputRequests ?? {})[0] ?? '']: accept({ name: 'Ada' }) });
    const again = await listen(gateways.second, { taskIds: [taskId] });
    const next = await again.message('it asks the second question', ({ params }) => JSON.stringify(params).includes('Your friend?'));
    const [key = ''] = Object.keys((next['params'] as { inputRequests: object }).inputRequests);
    await update(client, taskId, { [key]: accept({ name: 'Grace' }) });

    expect(await again.status(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'Hello Ada and Grace' }] } });
    again.hangUp();
  });

  it('takes no new stream', async () => {
    const gateways = await twoGateways();
    const { taskId } = await startTask(modernClient(gateways.first), 'sleep');
    const stream = await listen(gateways.first, { taskIds: [taskId] });
    await gateways.first.app.close();
    await stream.ended();

    await expect(listen(gateways.first, { taskIds: [taskId] })).rejects.toThrow();
  });
});

describe('a client that hangs up', () => {
  it('leaves no subscription behind, while others still listen', async () => {
    const gateways = await twoGateways();
    const { taskId } = await startTask(modernClient(gateways.first), 'sleep');
    const listeners = countListeners(gateways.first.store);
    const streams = await Promise.all(
      Array.from({ length: 3 }, () => listen(gateways.first, { taskIds: [taskId], toolsListChanged: true })),
    );
    await Promise.all(streams.map((stream) => stream.status(taskId, 'working')));
    for (const stream of streams.slice(1)) stream.hangUp();
    expect(listeners(taskId)).toBe(1);
    await modernClient(gateways.second).call('tasks/cancel', { taskId });
    await streams[0]?.status(taskId, 'cancelled');
    streams[0]?.hangUp();

    await waitUntil(() => listeners(taskId) === 0, { description: 'nobody subscribes any more' });
  });

  it('leaves no loop and no timer behind', async () => {
    let following = 0;
    const counting = (tasks: TaskService): TaskService => ({
      ...tasks,
      async *follow(...of) {
        following += 1;
        try {
          yield* tasks.follow(...of);
        } finally {
          following -= 1;
        }
      },
    });
    const started = await service({ tasks: counting });
    const { url } = started;
    const client = modernClient({ url });
    const tasks = await Promise.all(Array.from({ length: 20 }, () => startTask(client, 'sleep')));
    const taskIds = tasks.map(({ taskId }) => taskId);
    const most = await timersAtRest(started, tasks.length);
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen({ url }, { taskIds })));
    await Promise.all(streams.map((stream) => stream.status(taskIds.at(-1) ?? '', 'working')));
    expect(following, 'each task is followed once').toBe(20);
    for (const stream of streams) stream.hangUp();

    await waitUntil(() => following === 0, { description: 'nothing is followed any more' });
    await waitUntil(() => timers() <= most, { description: 'no timer is left' });
  });

  it('may do so at once, again and again', async () => {
    const started = await service();
    const { url } = started;
    const { taskId } = await startTask(modernClient({ url }), 'sleep');
    const most = await timersAtRest(started, 1);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const stream = await listen({ url }, { taskIds: [taskId] });
        stream.hangUp();
      }),
    );

    await waitUntil(() => timers() <= most, { description: 'no timer is left' });
  });
});

const MANY = scaled(150, 500);

describe(`a stream of ${MANY} tasks`, () => {
  it('sends all of them as they are, and each of them as it ends', async () => {
    const gateways = await twoGateways();
    const client = modernClient(gateways.second);
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on('warning', onWarning);
    const tasks = await Promise.all(Array.from({ length: MANY }, () => startTask(client, 'sleep')));
    const taskIds = tasks.map(({ taskId }) => taskId);
    const stream = await listen(gateways.first, { taskIds });
    const countOf = (listener: Listener, status: string): number =>
      new Set(listener.all().flatMap(({ params }) => (params?.['status'] === status ? [params['taskId']] : []))).size;
    await waitUntil(() => countOf(stream, 'working') === MANY, { description: 'all of them are sent' });
    await Promise.all(taskIds.map((taskId) => client.call('tasks/cancel', { taskId })));
    await waitUntil(() => countOf(stream, 'cancelled') === MANY, { description: 'all of them are sent as ended' });
    stream.hangUp();
    process.off('warning', onWarning);

    expect(stream.all()).toHaveLength(2 * MANY + 1);
    expect(warnings).toEqual([]);
  });
});

describe('a task that cannot be read for a moment', () => {
  it('is sent again when it can, and nothing of it is missed', async () => {
    let failures = 2;
    const failing = (tasks: TaskService): TaskService => ({
      ...tasks,
      async *follow(...of) {
        for await (const snapshot of tasks.follow(...of)) {
          yield snapshot;
          if (failures-- > 0) throw new TaskError('STORE_UNAVAILABLE');
        }
      },
    });
    const { url, logs } = await service({ tasks: failing });
    const client = modernClient({ url });
    const { taskId } = await startTask(client, 'sleep');
    const stream = await listen({ url }, { taskIds: [taskId] });
    await stream.status(taskId, 'working');
    await client.call('tasks/cancel', { taskId });
    await stream.status(taskId, 'cancelled');
    stream.hangUp();

    expect(stream.notificationsOf(taskId).map(({ status }) => status)).toEqual(['working', 'cancelled']);
    expect(logs.filter(({ msg }) => msg === 'task not followed')).toHaveLength(2);
  });
});
