/** Tests the addresses for signals: who has one sends values of one name to one task, and learns nothing else. */
import { TaskError } from '@longhaul/tasks';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { begin, EARLIER_SECRET, post, SIGNED_WITH, waitingTools, withCallback } from '../support/waiting-task.js';
import { PUBLIC_URL } from '../support/asking-task.js';

const log: string[] = [];
const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
const gateways = gatewaysForTests({ publicUrl: PUBLIC_URL, auditsCallers: true }, { features: waitingTools, logger });

/** The headers and the body of a signed delivery. */
function signed(id: string, value: unknown, { secret = SIGNED_WITH, at = new Date() } = {}) {
  const body = JSON.stringify(value);
  const signature = new Webhook(secret).sign(id, at, body);
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)), 'webhook-signature': signature };
  return { body, headers };
}

const NOWHERE = `/signals/${'A'.repeat(43)}`;

describe('an address for signals', () => {
  it('takes JSON at any gateway, and the task continues with it', async () => {
    const { path, result } = await withCallback(gateways);
    expect(await post(gateways.second, path, '{"amount":5}')).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { status: 'recorded' },
    });
    expect(JSON.parse(await result())).toEqual([{ amount: 5 }]);
    expect(log.join('')).not.toContain(path.slice('/signals/'.length));
  });

  it('names the field of a value that does not fit, and the next one is taken', async () => {
    const { path, result } = await withCallback(gateways);
    expect(await post(gateways.first, path, '{"amount":0}')).toMatchObject({
      status: 422,
      body: { code: 'SIGNAL_DOES_NOT_FIT', field: 'amount', message: expect.stringContaining('at least 1') },
    });
    expect(await post(gateways.first, path, '{}')).toMatchObject({ status: 422, body: { field: 'amount' } });
    expect((await post(gateways.first, path, '{"amount":1}')).status).toBe(200);
    expect(JSON.parse(await result())).toEqual([{ amount: 1 }]);
  });

  it.each([
    ['that is no JSON', 'amount=5', 400],
    ['that is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['that is nested too deeply', '['.repeat(300) + ']'.repeat(300), 400],
    ['with too many values', `[${'1,'.repeat(110_000)}1]`, 413],
    ['that is too large', `"${'x'.repeat(300_000)}"`, 413],
  ])('refuses a body %s', async (_, body, status) => {
    const { path } = await withCallback(gateways);
    expect((await post(gateways.first, path, body)).status).toBe(status);
  });

  it('takes one of several deliveries with the same id, at the same time and later', async () => {
    const { path, result } = await withCallback(gateways, { times: 2 });
    const headers = { 'webhook-id': 'msg_1' };
    const sent = await Promise.all(
      [gateways.first, gateways.second, gateways.first].map((gateway) => post(gateway, path, '{"amount":1}', headers)),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await post(gateways.second, path, '{"amount":1}', headers)).status).toBe(200);
    expect((await post(gateways.second, path, '{"amount":2}', { 'idempotency-key': 'msg_2' })).status).toBe(200);
    expect(JSON.parse(await result())).toEqual([{ amount: 1 }, { amount: 2 }]);
    // The task has ended, and has taken it.
    expect((await post(gateways.first, path, '{"amount":2}', { 'idempotency-key': 'msg_2' })).status).toBe(200);
  });

  it('says that its task has ended, and nothing of addresses that are none', async () => {
    const { path, result } = await withCallback(gateways);
    await post(gateways.first, path, '{"amount":5}');
    await result();
    expect(await post(gateways.first, path, '{"amount":6}')).toMatchObject({ status: 410, body: { code: 'TASK_ENDED' } });
    const nowhere = await post(gateways.first, NOWHERE, '{"amount":6}');
    expect(nowhere).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    for (const other of ['/signals/x', `${path}A`, path.slice(0, -1), `${path}${'A'.repeat(9_000)}`]) {
      const { status, body } = await post(gateways.first, other, '{"amount":6}');
      expect({ status, body }).toEqual({ status: nowhere.status, body: nowhere.body });
    }
  });

  it('is forgotten when its time is over, and its wait ends with nothing', async () => {
    const { path, result } = await withCallback(gateways, { timeoutMs: 20 });
    expect(await result()).toBe('[null]');
    expect((await post(gateways.first, path, '{"amount":6}')).status).toBe(404);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'] as const)('answers %s as every other address does', async (method) => {
    const { path } = await withCallback(gateways);
    const [there, nowhere] = await Promise.all(
      [path, NOWHERE].map((url) => gateways.first.app.inject({ method, url, headers: { host: 'localhost:3000' } })),
    );
    expect(there?.statusCode).toBe(405);
    expect(there?.headers['allow']).toBe('POST');
    expect(there?.body).toBe(nowhere?.body);
  });

  it('is served under the names of the deployment only, and to no page of another origin', async () => {
    const { path } = await withCallback(gateways);
    expect((await post(gateways.first, path, '{"amount":1}', { host: 'evil.example' })).status).toBe(403);
    expect((await post(gateways.first, path, '{"amount":1}', { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('keeps so many signals and no more, and says when to try again', async () => {
    const { path, taskId } = await withCallback(gateways, { times: 1_000 });
    await gateways.first.store.pauses.pause();
    try {
      // The task continues with the first one when it may.
      for (let n = 1; n <= 101; n++) expect((await post(gateways.first, path, `{"amount":${n}}`)).status).toBe(200);
      expect(await post(gateways.first, path, '{"amount":999}')).toMatchObject({
        status: 429,
        headers: { 'retry-after': '30' },
        body: { code: 'TOO_MANY_SIGNALS' },
      });
    } finally {
      await gateways.first.store.pauses.resume();
    }
    await gateways.first.tasks.cancel(taskId, { owner: (await gateways.first.store.events.views([taskId]))[0]?.owner ?? '' });
  });

  it('with secrets takes what one of them has signed, and nothing else', async () => {
    const { path, result } = await withCallback(gateways, { times: 2, signed: true });
    const first = signed('msg_a', { amount: 1 });
    const wrong = [
      {},
      { ...first.headers, 'webhook-id': 'msg_b' },
      signed('msg_a', { amount: 1 }, { at: new Date(Date.now() - 6 * 60_000) }).headers,
      signed('msg_a', { amount: 1 }, { at: new Date(Date.now() + 6 * 60_000) }).headers,
      signed('msg_a', { amount: 2 }).headers,
      signed('msg_a', { amount: 1 }, { secret: `whsec_${Buffer.alloc(24, 'other').toString('base64')}` }).headers,
    ];
    for (const headers of wrong)
      expect(await post(gateways.first, path, first.body, headers as Record<string, string>)).toMatchObject({
        status: 401,
        body: { code: 'BAD_SIGNATURE' },
      });
    // The bytes are signed, and not the value.
    expect((await post(gateways.first, path, '{ "amount": 1 }', first.headers)).status).toBe(401);
    expect((await post(gateways.first, path, first.body, first.headers)).status).toBe(200);
    expect((await post(gateways.first, path, first.body, first.headers)).status).toBe(200);
    const rotated = signed('msg_c', { amount: 3 }, { secret: EARLIER_SECRET });
    expect((await post(gateways.second, path, rotated.body, rotated.headers)).status).toBe(200);
    expect(JSON.parse(await result())).toEqual([{ amount: 1 }, { amount: 3 }]);
  });
});

it('a task signals another one of the same owner, and finds no other', async () => {
  const gate = await begin(gateways, 'gate');
  const stranger = await begin(gateways, 'knock', { taskId: gate.taskId });
  expect(await stranger.result()).toContain('There is no such task');

  const { owner } = await gate.view();
  const view = await gate.view();
  const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
  const args = { taskId: gate.taskId };
  const knock = await gateways.first.tasks.create({ tool: 'knock', arguments: args, owner, client, ttlMs: 60_000, pollIntervalMs: 1_000 });
  expect(JSON.parse(await gate.result())).toEqual({ from: knock.taskId });
  await expect(gateways.first.tasks.signal(view.taskId, { name: 'open', value: 1, via: 'test' }, { owner: 'eve' })).rejects.toBeInstanceOf(
    TaskError,
  );
});
