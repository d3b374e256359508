/** Tests how operators find tasks by their arguments, on every store. */
import { randomUUID } from 'node:crypto';
import { defineTool, type Feature } from '@longhaul/mcp-features';
import { type JsonObject, rowOf } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stores } from '../../stores/support/stores.js';
import { operated, type Operated, TOKENS } from '../support/operated.js';

const REASON = 'it was asked for by phone';
const idsOf = (tasks: unknown): string[] => (tasks as { taskId: string }[]).map(({ taskId }) => taskId);

const order = {
  input: z.object({ orderId: z.string(), customer: z.object({ name: z.string() }) }),
  task: 'required',
  run: async () => '',
} as const;
const features: readonly Feature[] = [
  defineTool({ ...order, name: 'charge', description: 'Charges.', searchable: ['orderId', 'customer.name'] }),
  defineTool({ ...order, name: 'refund', description: 'Pays back.', searchable: ['orderId'] }),
  defineTool({ ...order, name: 'note', description: 'Is not searched.' }),
];

describe.each(stores)('tasks on $name', ({ open }) => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
    api = await operated(opened.store, {}, features);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  const start = async (tool: string, orderId: string, name = 'Ada Lovelace'): Promise<string> => {
    const args = { orderId, customer: { name } };
    const { status, body } = await api.post(`/api/v1/tools/${tool}/tasks`, { reason: REASON, arguments: args, owner: `owner of ${tool}` });
    expect(status).toBe(201);
    return String(body['taskId']);
  };
  const found = async (where: string, more = ''): Promise<string[]> => {
    const { status, body } = await api.get(`/api/v1/tasks?${new URLSearchParams({ where }).toString()}${more}`);
    expect(status).toBe(200);
    return idsOf(body['tasks']);
  };

  it('are found by the arguments that their tools declare, over all tools and owners', async () => {
    const charge = await start('charge', '4711');
    const refund = await start('refund', '4711');
    await start('note', '4711');
    const other = await start('charge', '4712', 'Grace');
    expect((await found('orderId=4711')).toSorted()).toEqual([charge, refund].toSorted());
    expect(await found('orderId=4711', '&tool=refund')).toEqual([refund]);
    expect(await found('orderId=4711 customer.name="Ada Lovelace"')).toEqual([charge]);
    expect(await found('customer.name=Grace', '&status=working')).toEqual([other]);
    for (const where of ['orderId=471', 'orderId=4712 customer.name="Ada Lovelace"', 'topic=tides']) expect(await found(where)).toEqual([]);
  });

  it('that are made again are found by their own arguments', async () => {
    const failed = await api.fail('a', 'TOOL_ERROR');
    expect(await found('orderId=4711')).toEqual([]);
    const history = new TaskHistory();
    await api.append(history.create({ arguments: { orderId: '1' }, searchable: ['orderId'] }));
    await api.append(history.cancel());
    const retry = (patch: JsonObject) => api.post(`/api/v1/tasks/${history.taskId}/retry`, { reason: REASON, patch });
    const { body } = await retry({ orderId: '2' });
    expect(await found('orderId=2')).toEqual([body['taskId']]);
    expect(await found('orderId=1')).toEqual([]);
    expect(body['taskId']).not.toBe(failed);
  });

  it('that are imported have the keys of this deployment', async () => {
    const history = new TaskHistory();
    await api.append(history.create({ arguments: { orderId: '1' }, searchable: ['orderId'], searchKeys: ['of another deployment'] }));
    await api.append(history.cancel());
    expect(rowOf(history.projection.view).searchKeys).toEqual(['of another deployment']);
    const { body } = await api.get(`/api/v1/tasks/${history.taskId}/export`);
    const imported = await api.post('/api/v1/tasks/import', { reason: REASON, history: body });
    expect(await found('orderId=1')).toEqual([imported.body['taskId']]);
  });

  it('are changed together by them, and the audit log has only their names', async () => {
    const secret = randomUUID();
    const [first, second] = [await start('charge', secret), await start('charge', 'other')];
    const begun = await api.post('/api/v1/bulk', { action: 'cancel', filter: { where: `orderId=${secret}` }, reason: REASON });
    expect(begun).toMatchObject({ status: 202, body: { matched: 1 } });
    await expect.poll(async () => (await api.get(`/api/v1/tasks/${first}`)).body['status']).toBe('cancelled');
    expect((await api.get(`/api/v1/tasks/${second}`)).body['status']).toBe('working');
    const { entries } = (await api.get('/api/v1/audit')).body as { entries: { action: string; details?: JsonObject }[] };
    expect(entries.find(({ action }) => action === 'bulk.cancel')?.details).toMatchObject({ filter: { where: 'orderId' } });
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('are sent as they are found by a text, with how far the search is', async () => {
    const first = await start('charge', 'Venice 1');
    for (let count = 0; count < 20; count++) await api.create();
    const last = await start('refund', 'venice 2');
    const search = async (query: string): Promise<[event: string, data: Record<string, unknown>][]> => {
      const url = `/api/v1/tasks/search?text=venice${query}`;
      const headers = { host: 'localhost', authorization: `Bearer ${TOKENS.reader}` };
      const { payload } = await api.operator.app.inject({ method: 'GET', url, headers });
      return [...payload.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event = '', data = '']) => [event, JSON.parse(data) as never]);
    };
    const found = await search('');
    expect(found.map(([event]) => event)).toEqual(expect.arrayContaining(['task', 'progress', 'end']));
    expect(found.at(-1)).toEqual(['end', {}]);
    const tasks = found.flatMap(([event, data]) => (event === 'task' ? [data] : []));
    expect(tasks).toMatchObject([
      { taskId: last, match: { place: 'arguments', excerpt: 'venice 2' } },
      { taskId: first, match: { place: 'arguments', excerpt: 'Venice 1' } },
    ]);
    const looked = found.reduce((sum, [event, data]) => sum + (event === 'progress' ? Number(data['looked']) : 0), 0);
    expect(looked).toBe(22);
    expect(idsOf((await search('&tool=refund')).flatMap(([event, data]) => (event === 'task' ? [data] : [])))).toEqual([last]);
    const { body } = await api.get('/api/v1/tasks?text=venice&limit=1');
    expect(body).toMatchObject({ tasks: [{ taskId: last }], searched: { looked: 8, unreadable: 0 } });
    const further = await search(`&cursor=${String(body['cursor'])}`);
    expect(idsOf(further.flatMap(([event, data]) => (event === 'task' ? [data] : [])))).toEqual([first]);
  });

  it('are not looked for by what is no name and value', async () => {
    expect(await api.get('/api/v1/tasks?where=4711')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'where', message: expect.stringContaining('must be NAME=VALUE') as string }] },
    });
  });
});
