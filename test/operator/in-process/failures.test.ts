/** Tests groups of failures, on every store: what they say, that they are retried from the failed step, and that they can be hidden. */
import type { JsonObject, TaskId } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stores } from '../../stores/support/stores.js';
import { waitUntil } from '../../support/wait-until.js';
import { operated, type Operated } from '../support/operated.js';

const REASON = 'the bank is back';
const STACK = 'Error: declined\n    at charge (/app/pay.ts:7:3)';

interface Group {
  readonly id: string;
  readonly [member: string]: unknown;
}

describe.each(stores)('groups of failures on $name', ({ open }) => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
    api = await operated(opened.store);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  /** A task that has reserved, and failed when it charged. */
  const declined = async (order: string, owner = 'ada', args: JsonObject = { order, amount: 3 }): Promise<TaskId> => {
    const history = new TaskHistory();
    await api.append(history.create({ tool: 'charge', owner, arguments: args }));
    await api.append(history.claim());
    const { epoch, version } = history.state;
    const at = history.startedAt;
    const start = { startedAt: at, startedAfter: version };
    const message = `The card of order ${order} was declined`;
    const failed = {
      type: 'FailStep',
      at,
      epoch,
      key: 'charge',
      attempt: 1,
      error: { name: 'Error', message },
      startedAt: at,
      startedAfter: version + 1,
    } as const;
    const end = {
      type: 'CompleteTask',
      at,
      epoch,
      result: { isError: true, content: [{ type: 'text', text: message }] },
      thrown: { name: 'Error', step: 'charge', stack: STACK },
    } as const;
    await api.append(history.append([{ type: 'CompleteStep', at, epoch, key: 'reserve', value: order, ...start }, failed, end], epoch));
    return history.taskId;
  };
  const groups = async (query = ''): Promise<Group[]> => (await api.get(`/api/v1/failures${query}`)).body['groups'] as Group[];
  const act = (id: string, verb: string, body: object = {}) => api.post(`/api/v1/failures/${id}/${verb}`, { reason: REASON, ...body });
  const only = async (): Promise<Group> => {
    const [group, ...others] = await groups();
    if (group === undefined || others.length > 0) throw new Error(`There are ${others.length} other groups.`);
    return group;
  };
  const ended = async (id: unknown): Promise<Record<string, unknown>> =>
    waitUntil(
      async () => {
        const { body } = await api.get(`/api/v1/bulk/${String(id)}`);
        return body['state'] === 'running' ? undefined : body;
      },
      { description: 'the operation has ended' },
    );

  it('put together what differs in numbers and ids alone, and say when, where, and whom it concerns', async () => {
    const ids = [await declined('17', 'ada 🙂'), await declined('o-18', 'bob'), await declined('19', 'bob')];
    await api.fail('charge', 'STEP_TIMEOUT');
    const [group, other, ...none] = await groups();
    expect(none).toEqual([]);
    expect(other).toMatchObject({ what: 'STEP_TIMEOUT', count: 1 });
    expect((await api.get('/api/v1/failures?limit=1')).body).toMatchObject({ groups: [{ id: group?.id }], total: 2, tasks: 4 });
    expect((await api.get('/api/v1/failures?tool=other')).body).toEqual({ groups: [], total: 0, tasks: 0 });
    expect(group).toMatchObject({ tool: 'charge', step: 'charge', reason: 'TOOL_ERROR', count: 3, state: 'open' });
    expect(group).toMatchObject({ what: 'The card of order # was declined' });
    const { hours = [] } = group as unknown as { hours?: number[] };
    expect(hours.reduce((sum, count) => sum + count, 0)).toBe(3);
    const { body } = await api.get(`/api/v1/failures/${group?.id}`);
    expect(body).toMatchObject({
      stack: STACK,
      looked: 3,
      owners: [
        { name: 'bob', count: 2 },
        { name: 'ada 🙂', count: 1 },
      ],
    });
    expect((body['tasks'] as { taskId: string }[]).map(({ taskId }) => taskId).toSorted()).toEqual(ids.toSorted());
    const listed = await api.get(`/api/v1/tasks?group=${group?.id}&owner=bob`);
    expect(listed.body['tasks']).toHaveLength(2);
    expect(await api.get('/api/v1/failures/0123456789abcdef')).toMatchObject({ status: 404, body: { code: 'NO_SUCH_GROUP' } });
  });

  it('say what became of the tasks that retried them', async () => {
    await Promise.all(['1', '2'].map((order) => declined(order)));
    const { id: operation } = (await act((await only()).id, 'retry')).body;
    await ended(operation);
    const made = async () =>
      (await api.get(`/api/v1/bulk/${String(operation)}/made`)).body['made'] as { retriedAs: string; status: string }[];
    const [first] = await made();
    await api.service.cancel(first?.retriedAs ?? '', { owner: 'ada' });
    expect((await made()).map(({ status }) => status).toSorted((one, other) => one.localeCompare(other))).toEqual(['cancelled', 'working']);
  });

  it('are retried once, from the step that failed, with changed arguments, and say what was made', async () => {
    const ids = [await declined('1'), await declined('2')];
    const { id } = await only();
    const body = { from: 'failed-step', idempotencyKey: 'dialog', matched: 2 };
    const answers = await Promise.all([act(id, 'retry', body), act(id, 'retry', body), act(id, 'retry', { from: 'failed-step' })]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const bulks = await Promise.all([...new Set(answers.map((answer) => answer.body['id']))].map(ended));
    expect(bulks).toHaveLength(2);
    expect(bulks.reduce((sum, { done }) => sum + Number(done), 0)).toBe(2);
    expect(await groups()).toEqual([]);
    const made = (
      await Promise.all(bulks.map(async (bulk) => (await api.get(`/api/v1/bulk/${String(bulk['id'])}/made`)).body['made']))
    ).flat();
    expect(made.map((each) => (each as { taskId: string }).taskId).toSorted()).toEqual(ids.toSorted());
    for (const { taskId, retriedAs } of made as { taskId: string; retriedAs: string }[]) {
      expect((await api.get(`/api/v1/tasks/${taskId}`)).body['retriedAs']).toBe(retriedAs);
      const { events } = (await api.get(`/api/v1/tasks/${retriedAs}/history`)).body as { events: { type: string }[] };
      expect(events.map(({ type }) => type)).toEqual(['TaskCreated', 'StepCompleted']);
    }
    const { entries } = (await api.get('/api/v1/audit?limit=9')).body as { entries: { details: object }[] };
    const pairs = (made as { taskId: string; retriedAs: string }[]).map(({ taskId, retriedAs }) => ({ taskId, retriedAs }));
    expect(entries.flatMap(({ details }) => ('made' in details ? details.made : []))).toEqual(expect.arrayContaining(pairs));

    const forced = await act((await failingAgain()).id, 'retry', { from: { step: 'reserve' }, patch: { amount: null, currency: 'EUR' } });
    await ended(forced.body['id']);
    const [again] = ((await api.get(`/api/v1/bulk/${String(forced.body['id'])}/made`)).body as { made: { retriedAs: string }[] }).made;
    expect((await api.get(`/api/v1/tasks/${again?.retriedAs}`)).body['arguments']).toEqual({ order: '3', currency: 'EUR' });
  });

  const failingAgain = async (): Promise<Group> => {
    await declined('3');
    return only();
  };

  it('are refused what they cannot do, with the field', async () => {
    await declined('1');
    const { id } = await only();
    expect(await act(id, 'retry', { matched: 0 })).toMatchObject({ status: 409, body: { code: 'MORE_TASKS_FIT' } });
    expect(await act(id, 'retry', { from: 'end' })).toMatchObject({ status: 400, body: { errors: [{ field: 'from' }] } });
    expect(await act(id, 'retry', { patch: [] })).toMatchObject({ status: 400, body: { errors: [{ field: 'patch' }] } });
    expect(await act(id, 'snooze')).toMatchObject({ status: 400, body: { errors: [{ field: 'until' }] } });
    expect(await act(id, 'snooze', { more: 1.5 })).toMatchObject({ status: 400, body: { errors: [{ field: 'more' }] } });
    expect(await act(id, 'snooze', { until: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'until' }] },
    });
    expect(await act('nothing', 'dismiss')).toMatchObject({ status: 404 });
  });

  it('are hidden until somebody opens them again, until a time, or until more have failed', async () => {
    await declined('1');
    const { id } = await only();
    expect(await act(id, 'dismiss')).toMatchObject({ status: 200, body: { state: 'dismissed', mark: { who: 'ada', reason: REASON } } });
    expect(await groups()).toEqual([]);
    expect(await groups('?state=dismissed')).toMatchObject([{ id }]);
    expect(await act(id, 'reopen')).toMatchObject({ body: { state: 'open' } });
    expect(await only()).toMatchObject({ id });

    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await act(id, 'snooze', { until })).toMatchObject({ body: { state: 'snoozed', mark: { until } } });
    expect(await groups()).toEqual([]);
    await act(id, 'snooze', { more: 2 });
    const marked = Date.now();
    await waitUntil(() => Date.now() > marked, { description: 'a later millisecond' });
    await declined('2');
    expect(await groups()).toEqual([]);
    await declined('3');
    expect(await only()).toMatchObject({ id, count: 3 });
    expect(await groups('?state=all')).toHaveLength(1);
  });
});
