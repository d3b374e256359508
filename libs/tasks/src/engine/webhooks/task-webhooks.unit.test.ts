import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '@longhaul/runtime/webhook-settings';
import { ownerOfSubject, ownerOfUser } from '../../domain/owner-names.js';
import { CALL_ENDPOINT, type TaskWebhook } from '../../domain/webhook-kinds.js';
import { taskData } from '../../testing/task-history.js';
import { MAX_ENDPOINTS_OF_TASK, taskWebhooks } from './task-webhooks.js';

const ENDPOINT: WebhookEndpoint = { url: 'https://a.example', secrets: [], events: ['task.failed'], include: [], allowPrivate: false };
const OF_CALL: TaskWebhook = { endpoint: CALL_ENDPOINT, url: 'https://b.example/', events: ['task.completed'] };
const ADA = ownerOfSubject({ issuer: 'https://login.example', tenant: 'acme', name: 'ada' });

function named(endpoint: Partial<WebhookEndpoint>, task: Parameters<typeof taskData>[0]): readonly string[] {
  const withWebhooks = taskWebhooks({ endpoints: { crm: { ...ENDPOINT, ...endpoint } } }, () => undefined);
  return (withWebhooks(taskData(task)).webhooks ?? []).map(({ endpoint: name }) => name);
}

describe('the webhooks of a new task', () => {
  it('are those of the endpoints whose tools, owners and tenants fit, all of them', () => {
    expect(named({}, { owner: ADA })).toEqual(['crm']);
    expect(named({ tenants: ['https://login.example#acme'] }, { owner: ADA })).toEqual(['crm']);
    expect(named({ tenants: ['https://login.example#other'] }, { owner: ADA })).toEqual([]);
    expect(named({ tenants: ['ada'] }, { owner: ownerOfUser('ada') })).toEqual(['crm']);
    expect(named({ owners: ['user:ada'] }, { owner: ownerOfUser('ada') })).toEqual(['crm']);
    expect(named({ owners: ['user:ada'] }, { owner: ADA })).toEqual([]);
    expect(named({ owners: ['user:ada'], tools: ['echo'] }, { owner: 'user:ada', tool: 'research' })).toEqual([]);
    expect(named({ tools: ['tool 🚀'] }, { tool: 'tool 🚀' })).toEqual(['crm']);
  });

  it('have what the endpoint says, and nothing of its URL and its secrets', () => {
    const task = taskWebhooks({ endpoints: { crm: { ...ENDPOINT, include: ['results'] }, log: ENDPOINT } }, () => undefined)(taskData());
    expect(task.webhooks).toEqual([
      { endpoint: 'crm', events: ['task.failed'], include: ['results'] },
      { endpoint: 'log', events: ['task.failed'] },
    ]);
  });

  it('are in addition to the webhook of the call, and take the place of those of the task that it was made from', () => {
    const before: TaskWebhook = { endpoint: 'old', events: ['task.failed'] };
    const task = taskWebhooks({ endpoints: { crm: ENDPOINT } }, () => undefined)(taskData({ webhooks: [before, OF_CALL] }));
    expect(task.webhooks).toEqual([OF_CALL, { endpoint: 'crm', events: ['task.failed'] }]);
    expect(taskWebhooks({ endpoints: {} }, () => undefined)(taskData({ webhooks: [before] }))).toEqual(taskData());
  });

  it('are bounded, and what is left out is named', () => {
    const endpoints = Object.fromEntries(Array.from({ length: MAX_ENDPOINTS_OF_TASK + 1 }, (_, at) => [`endpoint-${at}`, ENDPOINT]));
    const problems: string[] = [];
    const task = taskWebhooks({ endpoints }, ({ message }) => problems.push(message))(taskData());
    expect(task.webhooks).toHaveLength(MAX_ENDPOINTS_OF_TASK);
    expect(problems).toEqual([expect.stringContaining(`Left out: endpoint-${MAX_ENDPOINTS_OF_TASK}.`)]);
  });
});
