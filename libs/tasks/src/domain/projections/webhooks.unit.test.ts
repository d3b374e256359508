import { describe, expect, it } from 'vitest';
import { TaskHistory } from '../../testing/task-history.js';
import type { TaskCreatedData } from '../events.js';
import type { JsonObject } from '../json.js';
import { ownerOfSubject } from '../owner-names.js';
import { type TaskWebhook, WEBHOOK_EVENTS, type WebhookContent } from '../webhook-kinds.js';
import { MAX_WEBHOOK_BODY_BYTES } from './webhooks.js';
import type { AppendRequest } from '../../ports/event-store.js';

const AT = Date.parse('2026-11-26T08:00:00Z');

function started(webhook: Partial<TaskWebhook> = {}, created: Partial<TaskCreatedData> = {}): TaskHistory {
  const task = new TaskHistory('00000000-0000-4000-8000-000000000001' as TaskHistory['taskId'], AT);
  task.create({ owner: 'user:alice', webhooks: [{ endpoint: 'crm', events: WEBHOOK_EVENTS, ...webhook }], ...created });
  task.claim();
  return task;
}

function bodyOf({ webhooks }: AppendRequest): JsonObject {
  return JSON.parse(webhooks?.[0]?.message.body ?? 'null') as JsonObject;
}

const include = (...contents: WebhookContent[]): Partial<TaskWebhook> => ({ include: contents });

describe('the webhooks of an append', () => {
  it('are none without webhooks, and none for what no webhook is about', () => {
    const task = new TaskHistory();
    expect(task.create().webhooks).toBeUndefined();
    task.claim();
    expect(task.complete().webhooks).toBeUndefined();
    const told = started();
    expect(told.step('a', 'b').webhooks).toBeUndefined();
    expect(told.status('working').webhooks).toBeUndefined();
  });

  it('say that a task asks, each time that it asks anew', () => {
    const task = started();
    expect(task.ask('city').webhooks).toMatchObject([{ endpoint: 'crm', version: 3, event: 'task.input_required' }]);
    expect(bodyOf(task.ask('street'))).toEqual({
      type: 'task.input_required',
      timestamp: '2026-11-26T08:00:00.000Z',
      data: {
        taskId: task.taskId,
        tool: 'research',
        status: 'input_required',
        caller: { subject: 'alice' },
        createdAt: '2026-11-26T08:00:00.000Z',
        openQuestions: 2,
      },
    });
    const { epoch } = task.state;
    const command = { type: 'WithdrawInput', at: AT, epoch, key: 'city', reason: 'no longer needed' } as const;
    expect(task.append([command], epoch).webhooks).toBeUndefined();
  });

  it('say how a task ended, and not what it returned', () => {
    expect(bodyOf(started().complete('secret'))).toMatchObject({ type: 'task.completed', data: { status: 'completed' } });
    expect(JSON.stringify(bodyOf(started().complete('secret')))).not.toContain('secret');
    expect(bodyOf(started().cancel())).toMatchObject({ type: 'task.cancelled', data: { status: 'cancelled' } });
  });

  it('say that a task failed, by an error or by the error result of its tool', () => {
    const [byError, byResult] = [started(), started()];
    const { epoch } = byError.state;
    const error = { code: -32_603, message: 'secret', data: { reason: 'MAX_RUN' } };
    const failed = byError.append([{ type: 'FailTask', at: AT, epoch, error }], epoch);
    expect(bodyOf(failed)).toMatchObject({ type: 'task.failed', data: { status: 'failed', reason: 'MAX_RUN' } });
    expect(JSON.stringify(bodyOf(failed))).not.toContain('secret');
    const result = { content: [], isError: true };
    const failedByTool = byResult.append([{ type: 'CompleteTask', at: AT, epoch, result }], epoch);
    expect(bodyOf(failedByTool)).toMatchObject({ type: 'task.failed', data: { reason: 'TOOL_ERROR' } });
  });

  it('have what was asked for of the content', () => {
    expect(bodyOf(started(include('results')).complete('done'))).toMatchObject({ data: { result: { content: [{ text: 'done' }] } } });
    const task = started(include('results'));
    const { epoch } = task.state;
    const error = { code: -32_603, message: 'It broke.' };
    expect(bodyOf(task.append([{ type: 'FailTask', at: AT, epoch, error }], epoch))).toMatchObject({ data: { error } });
    const cancelled = started(include('results'));
    expect(bodyOf(cancelled.append([{ type: 'CancelTask', at: AT, by: 'client', reason: 'No.' }]))).toMatchObject({
      data: { message: 'No.' },
    });
    expect(bodyOf(started(include('results')).cancel())).not.toHaveProperty('data.message');
    expect(bodyOf(started(include('questions')).ask('city'))).toMatchObject({
      data: { questions: [{ key: 'city', method: 'elicitation/create', params: { message: 'What of city?' } }] },
    });
    expect(bodyOf(started(include('questions')).complete())).not.toHaveProperty('data.result');
  });

  it('have whole characters only, whatever a task has returned', () => {
    expect(bodyOf(started(include('results')).complete('🚀 \ud83d'))).toMatchObject({
      data: { result: { content: [{ text: '🚀 \ufffd' }] } },
    });
  });

  it('leave out content that is too large, and say so', () => {
    expect(bodyOf(started(include('results')).complete('x'.repeat(MAX_WEBHOOK_BODY_BYTES.end)))).toMatchObject({
      type: 'task.completed',
      data: { omitted: ['result'] },
    });
    expect(bodyOf(started(include('questions')).ask('x'.repeat(MAX_WEBHOOK_BODY_BYTES.question)))).toMatchObject({
      data: { omitted: ['questions'], openQuestions: 1 },
    });
  });

  it('go to the endpoints that want the event, with the URL of one that the call has named', () => {
    const webhooks: readonly TaskWebhook[] = [
      { endpoint: 'failures', events: ['task.failed'] },
      { endpoint: 'ends', events: ['task.failed', 'task.completed'] },
      { endpoint: '$call', url: 'https://hooks.example/1', events: ['task.completed'] },
    ];
    const task = started({}, { webhooks });
    expect(task.ask('city').webhooks).toBeUndefined();
    expect(task.complete().webhooks).toMatchObject([
      { endpoint: 'ends', event: 'task.completed' },
      { endpoint: '$call', message: { url: 'https://hooks.example/1' } },
    ]);
  });

  it('are an empty list at an end that nobody wants to know of: no more follow', () => {
    expect(started({ events: ['task.input_required'] }).complete().webhooks).toEqual([]);
  });

  it('name no session and no secret', () => {
    for (const owner of ['anonymous', 'session:abc', 'secret:abc'])
      expect(bodyOf(started({}, { owner }).complete())).not.toHaveProperty('data.caller');
    const ada = { issuer: 'https://login.example', tenant: 'acme', name: 'ada' };
    const caller = { issuer: ada.issuer, tenant: 'acme', subject: 'ada' };
    expect(bodyOf(started({}, { owner: ownerOfSubject(ada) }).complete())).toMatchObject({ data: { caller } });
  });
});
