/** Tests what operators see of webhooks. */
import type { WebhookRecord } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlite } from '../../stores/support/stores.js';
import { operated, type Operated } from '../support/operated.js';

const URL_OF_CALL = 'https://hooks.example.com/42?token=7';

describe('the operator API', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  beforeEach(async () => {
    opened = await sqlite.open();
    api = await operated(opened.store);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  /** A task that asks, ends, and notifies two endpoints of its end. */
  async function notified(): Promise<TaskHistory> {
    const task = new TaskHistory();
    const events = ['task.completed' as const];
    await api.append(
      task.create({
        webhooks: [
          { endpoint: 'crm', events },
          { endpoint: '$call', url: URL_OF_CALL, events },
        ],
      }),
    );
    await api.append(task.claim());
    await api.append(task.complete());
    return task;
  }
  async function tried({ taskId }: TaskHistory, endpoint: string, after: Partial<WebhookRecord>): Promise<void> {
    const { webhooks } = opened.store;
    const { version, record } = (await webhooks.first({ taskId, endpoint }))!;
    await webhooks.record({ taskId, endpoint }, { version, before: record, after: { ...record, tries: record.tries + 1, ...after } });
  }
  const listed = async (status: string): Promise<unknown> => (await api.get(`/api/v1/webhooks?status=${status}`)).body['webhooks'];

  it('shows the webhooks of a task, and lists those that wait, fail or were given up', async () => {
    const task = await notified();
    const { taskId } = task;
    expect(await listed('pending')).toHaveLength(2);
    expect(await listed('failing')).toEqual([]);
    const at = Date.now();
    await tried(task, 'crm', { lastTry: { at, status: 500, problem: 'HTTP 500' }, nextAt: at + 5_000 });
    await tried(task, '$call', { lastTry: { at, status: 410, problem: 'HTTP 410' }, ended: 'given-up' });
    const crm = { endpoint: 'crm', event: 'task.completed', status: 'failing', tries: 1, answered: 500, problem: 'HTTP 500' };
    const ofCall = { endpoint: '$call', event: 'task.completed', status: 'given-up', tries: 1, answered: 410 };
    const details = await api.get(`/api/v1/tasks/${taskId}`);
    expect(details.body['webhooks']).toMatchObject([ofCall, { ...crm, nextAt: new Date(at + 5_000).toISOString() }]);
    expect(JSON.stringify(details.body)).not.toContain(URL_OF_CALL);
    expect(await listed('failing')).toMatchObject([{ taskId, tool: 'research', ...crm }]);
    expect(await listed('given-up')).toMatchObject([{ taskId, ...ofCall }]);
    expect((await api.get('/api/v1/webhooks?status=delivered')).status).toBe(400);
  });

  it('says nothing of webhooks where a task has none', async () => {
    const { body } = await api.get(`/api/v1/tasks/${await api.create()}`);
    expect(body).not.toHaveProperty('webhooks');
  });

  it('does not take the webhooks of a history that is imported', async () => {
    const { taskId } = await notified();
    const { body: exported } = await api.get(`/api/v1/tasks/${taskId}/export`);
    const { status, body } = await api.post('/api/v1/tasks/import', { history: exported, reason: 'to look at it' });
    expect(status).toBe(201);
    expect((await api.get(`/api/v1/tasks/${String(body['taskId'])}`)).body).not.toHaveProperty('webhooks');
    expect(await listed('pending')).toHaveLength(2);
  });
});
