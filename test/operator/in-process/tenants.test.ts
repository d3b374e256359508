/** Tests the operators' settings of tenants. */
import { Tenants } from '@longhaul/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TaskId } from '@longhaul/tasks';
import { sqlite } from '../../stores/support/stores.js';
import { waitUntil } from '../../support/wait-until.js';
import { operated, type Operated } from '../support/operated.js';

const newTaskId = (): TaskId => crypto.randomUUID() as TaskId;
const reason = 'they have paid for it';
const SETTING = '{"default":{"maxRunning":5},"tenants":{"acme":{"weight":2}}}';
const CONFIG = { default: { maxRunning: 5 }, tenants: { acme: { weight: 2 } } };

describe('operators of tenants', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  let others: Tenants;
  beforeEach(async () => {
    opened = await sqlite.open();
    api = await operated(opened.store, { LONGHAUL_TENANTS: SETTING });
    others = new Tenants({ config: CONFIG, overrides: opened.store.tenants, onError: (error) => opened.errors.push(error) });
    await others.start();
  });
  afterEach(async () => {
    others.stop();
    await api.operator.close();
    await opened.close();
  });

  it('see what holds', async () => {
    expect((await api.get('/api/v1/tenants')).body).toEqual({
      default: { maxRunning: 5 },
      tenants: [{ name: 'acme', settings: { weight: 2, maxRunning: 5 } }],
    });
    expect((await api.get('/api/v1/tenants/nobody')).body).toEqual({ name: 'nobody', settings: { maxRunning: 5 } });
  });

  it('change it for all processes, and take that back', async () => {
    const path = `/api/v1/tenants/${encodeURIComponent('user/of:https://a.example')}`;
    const changed = await api.put(path, { settings: { weight: 7, maxRunning: null }, reason });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'user/of:https://a.example', settings: { weight: 7, maxRunning: null }, override: { weight: 7, maxRunning: null } },
    });
    await waitUntil(() => others.named('user/of:https://a.example').weight === 7, { description: 'the others know' });
    expect((await api.get('/api/v1/audit?limit=1')).body['entries']).toMatchObject([{ action: 'tenant.set', reason, outcome: 'done' }]);
    expect((await api.delete(path, { reason })).body).toEqual({ name: 'user/of:https://a.example', settings: { maxRunning: 5 } });
    await waitUntil(() => others.named('user/of:https://a.example').weight === undefined, { description: 'the others know' });
  });

  it('change one setting and leave the others, two at the same time', async () => {
    const path = '/api/v1/tenants/acme';
    await api.put(path, { settings: { weight: 7 }, reason });
    const changes = [{ maxRunning: 3 }, { unfinishedTasks: 4 }, { tasksPerMinute: null }];
    for (const { status } of await Promise.all(changes.map((settings) => api.patch(path, { settings, reason })))) expect(status).toBe(200);
    expect((await api.get(path)).body['override']).toEqual({ weight: 7, maxRunning: 3, unfinishedTasks: 4, tasksPerMinute: null });
  });

  it('see what an owner may have, and what it uses of that', async () => {
    await api.put('/api/v1/tenants/ada', { settings: { unfinishedTasks: 7, tasksPerMinute: null }, reason });
    const owner = 'user:ada';
    const registration = { taskId: newTaskId(), createdAt: 1, bytes: 5_000 };
    const limits = { concurrentTasks: 9, tasksPerMinute: 9, historyBytes: 100_000 };
    await opened.store.index.register(registration, [{ owner, limits }]);
    const expected = {
      owner,
      tenant: 'ada',
      limits: { unfinishedTasks: 7, tasksPerMinute: null, historyBytes: 256 * 1024 ** 2, openSessions: 20_000 },
      used: { unfinishedTasks: 1, tasksInMinute: 1, historyBytes: 5_000, openSessions: 0, spent: {} },
      sessions: [],
    };
    expect((await api.get(`/api/v1/owners/limits?owner=${encodeURIComponent(owner)}`)).body).toEqual(expected);
    expect((await api.get('/api/v1/owners/limits')).status).toBe(400);
  });

  it('learn what they may say', async () => {
    const refused = await api.put('/api/v1/tenants/acme', { settings: { weight: 101 }, reason });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'settings.weight', message: 'must be a whole number from 1 to 100' }] },
    });
    expect((await api.put('/api/v1/tenants/acme', { settings: { wight: 1 }, reason })).status).toBe(400);
  });
});
