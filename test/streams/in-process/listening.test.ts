/** Tests `subscriptions/listen` with the ids of tasks: the messages, the processes that send them, and their streams. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { listen as listenAt, type Listener, SUBSCRIPTION } from '../../support/gateway-2026/listener.js';
import { answerOf, ASKED_CLIENT, type ModernClient, modernClient, PLAIN_CLIENT, TASKS } from '../../support/gateway-2026/modern-client.js';
import { accept, getTask, startTask, untilStatus, update } from '../../support/gateway-2026/task-client.js';

let here: ModernClient;
let there: ModernClient;
const listeners: Listener[] = [];

const gateways = gatewaysForTests({ keepAliveMs: 50 }, { features: modernFeatures });
beforeAll(async () => {
  here = modernClient(gateways.first);
  there = here.at(gateways.second);
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.hangUp();
});

async function listen(notifications: object, options: Parameters<typeof listenAt>[2] = {}, gateway = gateways.first): Promise<Listener> {
  const listener = await listenAt(gateway, notifications, options);
  listeners.push(listener);
  return listener;
}

const acknowledged = (listener: Listener) =>
  listener.message('it is acknowledged', ({ method }) => method === 'notifications/subscriptions/acknowledged');

describe('the acknowledgement', () => {
  it('is the first message, and names the ids that are tasks of the caller, each once', async () => {
    const [first, second] = [await startTask(here, 'sleep'), await startTask(there, 'sleep')];
    const foreign = await gateways.first.tasks.create({
      tool: 'sleep',
      arguments: {},
      owner: 'somebody else',
      client: { generation: '2026-07-28', protocolVersion: '2026-07-28', capabilities: {} },
      ttlMs: 60_000,
      pollIntervalMs: 1_000,
    });
    const unknown = crypto.randomUUID();
    const taskIds = [unknown, first.taskId, 'nope', '', second.taskId, first.taskId, foreign.taskId];
    const listener = await listen({ taskIds }, { id: 'my listen' });
    await Promise.all([first, second].map(({ taskId }) => listener.status(taskId, 'working')));

    expect(listener.all()[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [first.taskId, second.taskId] }, _meta: { [SUBSCRIPTION]: 'my listen' } },
    });
    expect(listener.text()).not.toContain(unknown);
    expect(listener.text()).not.toContain(foreign.taskId);
  });

  it.each([
    ['none at all', []],
    ['ids that no task has', [crypto.randomUUID(), 'nope']],
  ])('of %s is followed by the end at once', async (_title, taskIds) => {
    const listener = await listen({ taskIds }, { id: 7 });
    await listener.ended();

    expect(listener.all()).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { taskIds: [] }, _meta: { [SUBSCRIPTION]: 7 } },
      },
      { jsonrpc: '2.0', id: 7, result: { resultType: 'complete', _meta: expect.objectContaining({ [SUBSCRIPTION]: 7 }) as object } },
    ]);
  });

  it.each(['a text', '', 0, -7, 2 ** 40])('and all that follows carries the id of the request as it is: %j', async (id) => {
    const { taskId } = await startTask(here, 'count', { to: 1 });
    const listener = await listen({ taskIds: [taskId], toolsListChanged: true }, { id });
    await listener.status(taskId, 'completed');
    await here.tool('announce', { list: 'tools' });
    await listener.message('the notification of the change has come', ({ method }) => method === 'notifications/tools/list_changed');

    for (const { params } of listener.all()) expect(params?._meta?.[SUBSCRIPTION]).toBe(id);
  });
});

describe('a task that is listened to', () => {
  it('is sent as it is at first, and then at each change of it, as tasks/get shows it', async () => {
    const { taskId } = await startTask(here, 'ask-twice');
    const listener = await listen({ taskIds: [taskId] });
    const keys = new Set<string>();
    for (const name of ['Ada', 'Grace']) {
      const asked = await listener.message(`it asks for ${name}`, ({ params }) =>
        Object.keys((params as { inputRequests?: object } | undefined)?.inputRequests ?? {}).some((key) => !keys.has(key)),
      );
      const { _meta, ...notified } = asked['params'] as Record<string, unknown>;
      const { _meta: _server, resultType: _resultType, ...shown } = await getTask(there, taskId);
      expect(notified).toEqual({ ...shown, pollIntervalMs: expect.any(Number) as number });
      const [key = ''] = Object.keys(notified['inputRequests'] as object);
      keys.add(key);
      await update(there, taskId, { [key]: accept({ name }) });
    }
    const end = await listener.status(taskId, 'completed');

    expect(end['result']).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'Hello Ada and Grace' }] });
    expect(end).not.toHaveProperty('resultType');
    const statuses = listener.notificationsOf(taskId).map(({ status }) => status);
    expect(statuses.at(-1)).toBe('completed');
    expect(statuses.filter((status) => status === 'input_required')).toHaveLength(2);
  });

  it('is sent once more only when something of it has changed that a client can see', async () => {
    const { taskId } = await startTask(here, 'count', { to: 5 });
    const listener = await listen({ taskIds: [taskId] });
    await listener.status(taskId, 'completed');

    expect(listener.notificationsOf(taskId).map(({ status }) => status)).toEqual(
      expect.toBeOneOf([['working', 'completed'], ['completed']]),
    );
  });

  it.each<[string, string, string, (taskId: string) => Promise<unknown>]>([
    ['a worker ends it', 'shout', 'completed', async () => undefined],
    ['this gateway cancels it', 'sleep', 'cancelled', (taskId) => here.call('tasks/cancel', { taskId })],
    ['another gateway cancels it', 'sleep', 'cancelled', (taskId) => there.call('tasks/cancel', { taskId })],
  ])('is sent as ended when %s', async (_title, name, status, change) => {
    const { taskId } = await startTask(here, name, name === 'shout' ? { text: 'hey', forMs: 200 } : {});
    const listener = await listen({ taskIds: [taskId] });
    await listener.status(taskId, 'working');
    await change(taskId);

    await listener.status(taskId, status);
  });

  it('is sent with its error when it has failed, and with its result when it had ended before', async () => {
    const failed = await startTask(here, 'refuse');
    const ended = await startTask(here, 'must-be-task', { result: 'error-result' });
    await Promise.all([untilStatus(here, failed.taskId, 'failed'), untilStatus(here, ended.taskId, 'completed')]);
    const listener = await listen({ taskIds: [failed.taskId, ended.taskId] });

    expect(await listener.status(failed.taskId, 'failed')).toMatchObject({ error: { code: -32010, data: { why: 'test' } } });
    expect(await listener.status(ended.taskId, 'completed')).toMatchObject({ result: { isError: true } });
  });

  it('is sent with its status message, and without its progress and log messages', async () => {
    const { taskId } = await startTask(here, 'talk');
    const listener = await listen({ taskIds: [taskId] });
    await waitUntil(() => listener.notificationsOf(taskId).some(({ statusMessage }) => statusMessage === 'half way'), {
      description: 'it is half way',
    });
    await here.call('tasks/cancel', { taskId });
    await listener.status(taskId, 'cancelled');

    for (const word of ['notifications/progress', 'notifications/message', 'elicitation/complete', 'details'])
      expect(listener.text()).not.toContain(word);
  });

  it('may be one of many on a stream, and on several streams at several gateways', async () => {
    const tasks = await Promise.all(Array.from({ length: 8 }, () => startTask(here, 'ask')));
    const taskIds = tasks.map(({ taskId }) => taskId);
    const streams = [
      await listen({ taskIds }),
      await listen({ taskIds }, {}, gateways.second),
      await listen({ taskIds: taskIds.slice(0, 1) }),
    ];
    for (const taskId of taskIds) {
      const { inputRequests = {} } = await untilStatus(there, taskId, 'input_required');
      await update(there, taskId, { [Object.keys(inputRequests)[0] ?? '']: accept({ name: taskId }) });
    }
    const [all, elsewhere, one] = streams;
    for (const taskId of taskIds)
      for (const stream of [all, elsewhere])
        expect(await stream?.status(taskId, 'completed')).toMatchObject({ result: { content: [{ text: `Hello ${taskId}` }] } });

    expect(one?.all().filter(({ params }) => params?.['taskId'] !== undefined && params['taskId'] !== taskIds[0])).toEqual([]);
  });

  it('stays on its stream after its end, until the client leaves, with a sign of life from time to time', async () => {
    const { taskId } = await startTask(here, 'count', { to: 1 });
    const listener = await listen({ taskIds: [taskId] });
    await listener.status(taskId, 'completed');
    const before = listener.text().length;
    await waitUntil(
      () =>
        (
          listener
            .text()
            .slice(before)
            .match(/^: keep-alive$/gm) ?? []
        ).length > 2,
      { description: 'there are signs of life' },
    );

    expect(listener.all().some(({ result }) => result !== undefined)).toBe(false);
  });
});

describe('a stream of tasks and of other changes', () => {
  it('has both, and each only as asked', async () => {
    const { taskId } = await startTask(here, 'sleep');
    const notifications = { taskIds: [taskId], promptsListChanged: true, resourceSubscriptions: ['test://diary'] };
    const listener = await listen(notifications);
    expect((await acknowledged(listener))['params']).toMatchObject({ notifications });
    await there.tool('announce', { list: 'tools', uri: 'test://other' });
    await there.tool('announce', { list: 'prompts', uri: 'test://diary' });
    await listener.message('the notification of the list has come', ({ method }) => method === 'notifications/prompts/list_changed');
    await listener.message('the notification of the resource has come', ({ method }) => method === 'notifications/resources/updated');
    await there.call('tasks/cancel', { taskId });
    await listener.status(taskId, 'cancelled');

    expect(listener.all().map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tasks',
      'notifications/prompts/list_changed',
      'notifications/resources/updated',
      'notifications/tasks',
    ]);
  });

  it('goes on with the other changes when none of the ids is a task', async () => {
    const listener = await listen({ taskIds: ['nope'], toolsListChanged: true });
    expect((await acknowledged(listener))['params']).toMatchObject({ notifications: { taskIds: [], toolsListChanged: true } });
    await there.tool('announce', { list: 'tools' });

    await listener.message('the notification of the list has come', ({ method }) => method === 'notifications/tools/list_changed');
  });

  it('says nothing of tasks to a client that did not ask for any', async () => {
    const { taskId } = await startTask(here, 'count', { to: 1 });
    const listener = await listen({ toolsListChanged: true }, { capabilities: PLAIN_CLIENT });
    expect((await acknowledged(listener))['params']).toEqual(expect.objectContaining({ notifications: { toolsListChanged: true } }));
    await untilStatus(here, taskId, 'completed');
    await there.tool('announce', { list: 'tools' });
    await listener.message('the notification of the list has come', ({ method }) => method === 'notifications/tools/list_changed');

    expect(listener.text()).not.toContain('notifications/tasks');
  });
});

describe('a request to listen', () => {
  async function refused(notifications: unknown, capabilities: object = ASKED_CLIENT) {
    return answerOf(await listen(notifications as object, { id: 'x', capabilities }));
  }

  it('to tasks is refused to a client without the extension, no matter what else it asks for', async () => {
    const { taskId } = await startTask(here, 'sleep');
    for (const notifications of [
      { taskIds: [taskId] },
      { taskIds: [] },
      { taskIds: 'wrong' },
      { taskIds: ['nope'], toolsListChanged: true },
    ]) {
      const { status, error } = await refused(notifications, PLAIN_CLIENT);
      expect(status).toBe(400);
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } });
    }
  });

  it.each([
    ['a text', 'nope', 'notifications.taskIds: expected array of the ids of tasks'],
    ['a number among them', ['ok', 7], 'notifications.taskIds.1: '],
    ['an id that is too long', ['x'.repeat(257)], 'notifications.taskIds.0: expected at most 256 bytes'],
    ['too many', Array.from({ length: 1_001 }, (_, at) => `id ${at}`), 'notifications.taskIds: expected at most 1000 ids'],
  ])('to %s is refused by the name of the field', async (_title, taskIds, message) => {
    const { status, error } = await refused({ taskIds });

    expect(status).toBe(400);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(message) as string });
  });

  it.each([
    ['no filter', undefined],
    ['a filter that is none', 7],
    ['another part of the filter that is wrong', { taskIds: [], toolsListChanged: 'yes' }],
  ])('with %s is refused', async (_title, notifications) => {
    expect((await refused(notifications)).error).toMatchObject({ code: -32602 });
  });
});
