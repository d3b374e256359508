/** Tests webhooks from the call to a receiver that verifies them, on every store. */
import { tenantOf, type TaskId, ownerOfUser } from '@longhaul/tasks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { modernClient, type ModernClient } from '../../support/gateway-2026/modern-client.js';
import { accept, startTask, untilStatus, update } from '../../support/gateway-2026/task-client.js';
import { waitUntil } from '../../support/wait-until.js';
import { type Received, WebhookReceiver } from '../../support/webhook-receiver.js';

const WEBHOOK = 'longhaul/webhook';
const [ADA, BOB] = ['a'.repeat(16), 'b'.repeat(16)];

let receiver: WebhookReceiver;
let gateways: TestGateways;
let ada: ModernClient;
let bob: ModernClient;

beforeAll(async () => {
  receiver = await WebhookReceiver.listen();
  const endpoints = {
    ada: receiver.endpoint({ tenants: [tenantOf(ownerOfUser('ada'))] }),
    shouts: receiver.endpoint({
      url: `http://${receiver.host}/shouts`,
      owners: [ownerOfUser('bob')],
      tools: ['shout'],
      events: ['task.completed'],
      include: ['results'],
    }),
    questions: receiver.endpoint({ url: `http://${receiver.host}/questions`, tools: ['ask-and-count'], include: ['questions'] }),
    private: receiver.endpoint({ url: `http://${receiver.host}/private`, tools: ['refuse'], allowPrivate: false }),
  };
  const calls = { [receiver.host]: { secrets: [receiver.secret], include: [], allowPrivate: true } };
  const tokens = new Map([
    [ADA, 'ada'],
    [BOB, 'bob'],
  ]);
  gateways = await startGateways({ tokens, webhooks: { endpoints, calls } }, { features: modernFeatures });
  [ada, bob] = [ADA, BOB].map((token) => modernClient(gateways.first, undefined, { authorization: `Bearer ${token}` })) as [
    ModernClient,
    ModernClient,
  ];
});
beforeEach(() => {
  receiver.answers.length = 0;
});
afterAll(async () => {
  expect(receiver.problems).toEqual([]);
  expect(await gateways.store.leftForEver()).toEqual([]);
  await gateways.close();
  await receiver.close();
});

/** The webhooks of a task, when so many have come. */
function come(taskId: string, count: number, path?: string): Promise<readonly Received[]> {
  return waitUntil(() => receiver.of(taskId, path).length >= count && receiver.of(taskId, path), { description: `${count} webhooks came` });
}

const recordsOf = async (taskId: string) => (await gateways.first.store.webhooks.of(taskId as TaskId)).webhooks;

describe('the webhooks of a task', () => {
  it('say that it asks and how it ended, in this order, signed, and without what it asked and returned', async () => {
    const { taskId } = await startTask(ada, 'ask-and-count', { text: 'hey' });
    const { inputRequests } = await untilStatus(ada, taskId, 'input_required');
    await come(taskId, 1);
    const [key = ''] = Object.keys(inputRequests ?? {});
    await update(ada, taskId, { [key]: accept({ name: 'Ada' }) });
    const ended = await waitUntil(
      async () => {
        const { result } = await ada.call('tasks/get', { taskId });
        return ['completed', 'failed'].includes(String(result['status'])) && result;
      },
      { description: 'the task has ended' },
    );
    const webhooks = await come(taskId, 2);
    expect(webhooks.map(({ type }) => type)).toEqual(['task.input_required', `task.${String(ended['status'])}`]);
    expect(webhooks[0]?.data).toMatchObject({ tool: 'ask-and-count', caller: { subject: 'ada' }, openQuestions: 1 });
    for (const { data } of webhooks) for (const member of ['result', 'questions', 'arguments']) expect(data).not.toHaveProperty(member);
    expect((await come(taskId, 1, '/questions'))[0]?.data).toMatchObject({ questions: [{ key }] });
  });

  it('are tried again with the same id when the receiver fails, and what was tried is known', async () => {
    receiver.answers.push(500);
    const { taskId } = await startTask(ada, 'shout', { text: 'hey' });
    const [first, second] = await come(taskId, 2);
    expect(second?.id).toBe(first?.id);
    await waitUntil(async () => (await recordsOf(taskId))[0]?.ended === 'delivered', { description: 'it is recorded' });
    expect(await recordsOf(taskId)).toMatchObject([{ endpoint: 'ada', event: 'task.completed', tries: 2, lastTry: { status: 204 } }]);
  });

  it('of one owner and tenant go to no endpoint of another one', async () => {
    const [ofAda, ofBob] = [await startTask(ada, 'shout', { text: 'hey' }), await startTask(bob, 'shout', { text: 'hey' })];
    const [toBob] = await come(ofBob.taskId, 1, '/shouts');
    expect(toBob?.data).toMatchObject({ caller: { subject: 'bob' }, result: { structuredContent: { shouted: 'HEY' } } });
    await come(ofAda.taskId, 1);
    expect(receiver.of(ofBob.taskId)).toEqual([]);
    expect(receiver.of(ofAda.taskId, '/shouts')).toEqual([]);
  });

  it('go to no private address unless the endpoint allows it', async () => {
    const { taskId } = await startTask(bob, 'refuse');
    const [record] = await waitUntil(
      async () => {
        const records = await recordsOf(taskId);
        return (records[0]?.tries ?? 0) > 0 && records;
      },
      { description: 'it was tried' },
    );
    expect(record).toMatchObject({ endpoint: 'private', lastTry: { problem: 'not a public address' } });
    expect(receiver.of(taskId, '/private')).toEqual([]);
    const recipient = { taskId, endpoint: 'private' };
    expect(await gateways.first.store.webhooks.list('failing', 10)).toContainEqual(recipient);
  });
});

describe('a call', () => {
  const named = (url: string, name = 'shout') => bob.call('tools/call', { name, arguments: { text: 'hey' } }, { [WEBHOOK]: { url } });

  it('names a webhook of its own where its host is allowed', async () => {
    const { result } = await named(`http://${receiver.host}/mine?a=b`);
    const [webhook] = await come(String(result['taskId']), 1, '/mine?a=b');
    expect(webhook).toMatchObject({ type: 'task.completed' });
  });

  it('is refused with any other one, or where no webhook would ever be sent', async () => {
    const field = 'params._meta["longhaul/webhook"]';
    for (const [url, name, problem] of [
      ['https://hooks.example.com/', 'shout', `${field}.url: this server allows no webhooks of calls to that host`],
      [`http://ada:secret@${receiver.host}/`, 'shout', `${field}.url: must not contain a name or a password`],
      [`http://${receiver.host}/`, 'echo', `${field}: tool echo is answered at once, and no webhook is sent for it`],
    ] as const)
      expect((await named(url, name)).error).toMatchObject({ code: -32602, message: expect.stringContaining(problem) as string });
  });
});
