/** Tests the API's data for operators, on every store. */
import { randomUUID } from 'node:crypto';
import { createOperatorService } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stores } from '../../stores/support/stores.js';
import { waitUntil } from '../../support/wait-until.js';
import { FORM, operated, type Operated } from '../support/operated.js';

const REASON = 'it was asked for by phone';
const idsOf = (tasks: unknown): string[] => (tasks as { taskId: string }[]).map(({ taskId }) => taskId);

describe.each(stores)('the operator API on $name', ({ open }) => {
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

  it('lists tasks of all owners by filters, page by page, newest first', async () => {
    const ids: string[] = [];
    for (const tool of ['a', 'a', 'b']) ids.push(await api.create(tool));
    const failed = await api.fail('a', 'NO_WORKER');
    const { body } = await api.get('/api/v1/tasks');
    expect(new Set(idsOf(body['tasks']))).toEqual(new Set([...ids, failed]));
    const first = await api.get('/api/v1/tasks?tool=a&limit=2');
    const second = await api.get(`/api/v1/tasks?tool=a&limit=2&cursor=${String(first.body['cursor'])}`);
    expect([...idsOf(first.body['tasks']), ...idsOf(second.body['tasks'])].toSorted()).toEqual([...ids.slice(0, 2), failed].toSorted());
    expect(idsOf((await api.get('/api/v1/tasks?status=failed&failure=NO_WORKER')).body['tasks'])).toEqual([failed]);
    expect(idsOf((await api.get('/api/v1/tasks?status=completed,cancelled')).body['tasks'])).toEqual([]);
  });

  it('answers with whole characters only, whatever a task was called with', async () => {
    const id = await api.create('a', { 'topic \ud800': 'tides \udfff' });
    expect((await api.get(`/api/v1/tasks/${id}`)).body['arguments']).toEqual({ 'topic \ufffd': 'tides \ufffd' });
  });

  it('finds tasks by a text in their arguments and in how they ended', async () => {
    const tides = await api.create('a', { topic: 'Spring TIDES' });
    await api.create('a', { topic: 'moons' });
    const failed = await api.fail('a', 'TIDESS');
    expect(idsOf((await api.get('/api/v1/tasks?text=tides')).body['tasks']).toSorted()).toEqual([tides, failed].toSorted());
  });

  it('says why a task waits, what it was called with and how it ended', async () => {
    expect((await api.get(`/api/v1/tasks/${await api.create()}`)).body).toMatchObject({
      status: 'working',
      waiting: { for: 'queue' },
      arguments: { topic: 'tides' },
    });
    expect((await api.get(`/api/v1/tasks/${await api.ask()}`)).body).toMatchObject({
      status: 'input_required',
      waiting: { for: 'question', keys: ['ask'] },
      pendingInputs: [{ key: 'ask', approval: false }],
    });
    expect((await api.get(`/api/v1/tasks/${await api.fail('a', 'NO_WORKER')}`)).body).toMatchObject({
      status: 'failed',
      reason: 'NO_WORKER',
      error: { code: -32_603, message: 'It failed: NO_WORKER' },
    });
  });

  it('says that a task waits for a trial, which its record does not say', async () => {
    const task = await api.create();
    const running = [{ taskId: task, since: 1_000, waitsForTrialSince: 2_000 }];
    const worker = { workerId: 'heir', version: '1', tools: ['a'], lockToken: 'heir', startedAt: 0, slots: 5 };
    await opened.store.workers.beat({ ...worker, busy: 1, running });
    const waiting = { for: 'trial', since: new Date(2_000).toISOString() };
    expect((await api.get(`/api/v1/tasks/${task}`)).body).toMatchObject({ waiting });
    expect((await api.get('/api/v1/tasks?limit=1')).body['tasks']).toMatchObject([{ taskId: task, waiting }]);
    expect((await api.get('/api/v1/workers')).body['workers']).toMatchObject([{ running: [{ waitsForTrialSince: waiting.since }] }]);
  });

  it('says to which trace a task belongs, with links to it and to its log lines', async () => {
    const task = await api.create();
    const linked = await operated(opened.store, {
      LONGHAUL_TRACE_URL: 'https://traces.example.com/trace/{traceId}',
      LONGHAUL_LOGS_URL: 'https://logs.example.com/?task={taskHash}&trace={traceId}',
    });
    const { traceId } = (await api.get(`/api/v1/tasks/${task}`)).body;
    expect(traceId).toMatch(/^[\da-f]{32}$/);
    const traceUrl = `https://traces.example.com/trace/${String(traceId)}`;
    expect((await linked.get('/api/v1/tasks')).body['tasks']).toMatchObject([{ taskId: task, traceId, traceUrl }]);
    const { body } = await linked.get(`/api/v1/tasks/${task}`);
    expect(body).toMatchObject({ traceId, traceUrl });
    expect(body['logsUrl']).toMatch(new RegExp(`^https://logs\\.example\\.com/\\?task=[\\da-f]{12}&trace=${String(traceId)}$`));
    await linked.operator.close();
  });

  it('has the history of a task', async () => {
    const { body } = await api.get(`/api/v1/tasks/${await api.ask()}/history?after=1`);
    expect(body['events']).toMatchObject([
      { version: 2, type: 'PassStarted' },
      { version: 3, type: 'InputRequested', data: { key: 'ask' } },
      { version: 4, type: 'PassSuspended' },
    ]);
  });

  it('cancels a task once, and has a record of who tried it and why', async () => {
    const taskId = await api.create();
    const cancelled = await api.post(`/api/v1/tasks/${taskId}/cancel`, { reason: REASON });
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', cancelledBy: 'operator:ada', message: REASON } });
    expect(await api.post(`/api/v1/tasks/${taskId}/cancel`, { reason: 'again' })).toMatchObject({
      status: 409,
      body: { code: 'TASK_ENDED' },
    });
    expect(await api.post(`/api/v1/tasks/${randomUUID()}/cancel`, { reason: 'why not' })).toMatchObject({ status: 404 });
    const { body } = await api.get('/api/v1/audit');
    const entry = { who: 'ada', action: 'task.cancel', target: taskId };
    expect(body['entries']).toMatchObject([
      { outcome: 'TASK_NOT_FOUND' },
      { ...entry, reason: 'again', outcome: 'TASK_ENDED' },
      { ...entry, reason: REASON, outcome: 'done' },
    ]);
  });

  it('shows questions, and takes the first answer that fits', async () => {
    const taskId = await api.ask();
    const { body } = await api.get('/api/v1/questions');
    expect(body['questions']).toMatchObject([{ taskId, key: 'ask', tool: 'survey', message: 'How many?', answerable: true }]);
    const answer = (content: object) => api.post(`/api/v1/tasks/${taskId}/answers/ask`, { action: 'accept', content, reason: REASON });
    expect(await answer({ count: 12 })).toMatchObject({
      status: 422,
      body: { code: 'ANSWER_DOES_NOT_FIT', errors: [{ field: 'content.count', message: expect.stringContaining('9') as string }] },
    });
    expect(await answer({ count: 3 })).toMatchObject({ status: 204 });
    expect(await answer({ count: 4 })).toMatchObject({ status: 409, body: { code: 'NOT_ASKED' } });
    const { body: history } = await api.get(`/api/v1/tasks/${taskId}/history?after=4`);
    expect(history['events']).toMatchObject([
      {
        type: 'InputReceived',
        data: { key: 'ask', via: 'operator:ada', answer: { response: { action: 'accept', content: { count: 3 } } } },
      },
    ]);
    expect((await api.get('/api/v1/questions')).body['questions']).toEqual([]);
  });

  it('sends a signal to a task of any owner, once for each id, and says who did', async () => {
    const taskId = await api.ask();
    const send = (body: object) => api.post(`/api/v1/tasks/${taskId}/signals`, { name: 'stop', value: null, reason: REASON, ...body });
    expect(await send({ id: 'one' })).toMatchObject({ status: 200, body: { taskId, isRepeated: false } });
    expect(await send({ id: 'one' })).toMatchObject({ status: 200, body: { isRepeated: true } });
    expect(await send({ name: '' })).toMatchObject({ status: 400, body: { errors: [{ field: 'name' }] } });
    expect(
      await api.post('/api/v1/tasks/00000000-0000-4000-8000-000000000000/signals', { name: 'stop', value: 1, reason: REASON }),
    ).toMatchObject({ status: 404 });
    expect((await api.get(`/api/v1/tasks/${taskId}`)).body['signals']).toMatchObject({ kept: [{ name: 'stop', via: 'operator:ada' }] });
    expect((await api.get('/api/v1/audit?limit=3')).body['entries']).toContainEqual(
      expect.objectContaining({ who: 'ada', action: 'signal.send', target: taskId, outcome: 'done' }),
    );
  });

  it('refuses the slower one when client and operator answer at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const taskId = await api.ask();
      const [byClient, byOperator] = await Promise.all([
        api.service.provideInput(taskId, 'ask', () => ({ response: { action: 'decline' } }), { owner: 'alice' }, { via: 'client' }),
        api.post(`/api/v1/tasks/${taskId}/answers/ask`, { action: 'decline', reason: REASON }),
      ]);
      expect(byOperator.status).toBe(byClient ? 409 : 204);
      const { body } = await api.get(`/api/v1/tasks/${taskId}/history?after=4`);
      expect(body['events']).toMatchObject([{ type: 'InputReceived', data: { via: byClient ? 'client' : 'operator:ada' } }]);
    }
  });

  it('leaves it to the user of an agent what the agent may do', async () => {
    const taskId = await api.ask({ ...FORM, _meta: { 'longhaul/approval': true } });
    expect((await api.get('/api/v1/questions')).body['questions']).toEqual([]);
    expect((await api.get('/api/v1/questions?approvals=true')).body['questions']).toMatchObject([{ taskId, answerable: false }]);
    const answer = { action: 'accept', content: { count: 3 }, reason: REASON };
    expect(await api.post(`/api/v1/tasks/${taskId}/answers/ask`, answer)).toMatchObject({
      status: 409,
      body: { code: 'APPROVAL_OF_USER' },
    });
  });

  it('answers nothing where that is switched off', async () => {
    const taskId = await api.ask();
    const without = await operated(opened.store, { LONGHAUL_OPS_ANSWERS: '0' });
    const answer = { action: 'decline', reason: REASON };
    expect(await without.post(`/api/v1/tasks/${taskId}/answers/ask`, answer)).toMatchObject({
      status: 403,
      body: { code: 'ANSWERS_SWITCHED_OFF' },
    });
    expect((await without.get('/api/v1/questions')).body['questions']).toMatchObject([{ answerable: false }]);
    await without.operator.close();
  });

  it('counts what was created and ended in each period of a span, by tool, with how long it took', async () => {
    for (const tool of ['a', 'a', 'b']) await api.fail(tool, 'NO_WORKER');
    await api.create('a');
    await api.ask();
    const total = { created: 5, completed: 0, failed: 3, cancelled: 0, p50Ms: 1, p95Ms: 1 };
    await waitUntil(async () => ((await api.get('/api/v1/stats')).body['total'] as { created: number }).created === 5, {
      description: 'all are counted',
    });
    await createOperatorService(opened.store, { onError: () => undefined }).noteAges();
    for (const [over, stepMs, periods] of [
      ['hour', 60_000, 60],
      ['day', 600_000, 144],
      ['week', 3_600_000, 168],
    ] as const) {
      const { body } = await api.get(`/api/v1/stats?over=${over}`);
      expect(body).toMatchObject({ over, stepMs, total });
      expect(body['periods']).toHaveLength(periods);
      expect(body['tools']).toMatchObject([
        { tool: 'a', created: 3, failed: 2 },
        { tool: 'b', created: 1, failed: 1 },
        { tool: 'survey', created: 1 },
      ]);
    }
    const hour = (await api.get('/api/v1/stats')).body['periods'] as { questionAgeMs?: number }[];
    expect(Math.max(...hour.map(({ questionAgeMs = -1 }) => questionAgeMs))).toBeGreaterThanOrEqual(0);
    expect((await api.get('/api/v1/stats?tool=b')).body).toMatchObject({ total: { created: 1, failed: 1 }, tools: [{ tool: 'b' }] });
    expect((await api.get('/api/v1/stats?tool=nowhere')).body).toMatchObject({ total: { created: 0 }, tools: [] });
    expect(await api.get('/api/v1/stats?over=year')).toMatchObject({ status: 400 });
    expect(await api.get('/api/v1/stats?tools=b')).toMatchObject({ status: 400 });
  });

  it('counts failed tasks by tool and reason, jobs, and tasks by status', async () => {
    for (const [tool, reason] of [
      ['a', 'NO_WORKER'],
      ['a', 'NO_WORKER'],
      ['b', 'X'],
    ] as const)
      await api.fail(tool, reason);
    await api.create();
    expect((await api.get('/api/v1/failures')).body['groups']).toMatchObject([
      { tool: 'a', reason: 'NO_WORKER', count: 2 },
      { tool: 'b', reason: 'X', count: 1 },
    ]);
    expect((await api.get('/api/v1/queue')).body).toMatchObject({
      waiting: 0,
      running: 0,
      byStatus: { failed: 3, working: 1, cancelled: 0 },
    });
    expect((await api.get('/api/v1/workers')).body).toEqual({ workers: [] });
  });

  it('makes a new task of a failed one, with its arguments or with others', async () => {
    const taskId = await api.fail('a', 'NO_WORKER');
    const again = await api.post(`/api/v1/tasks/${taskId}/retry`, { reason: REASON });
    expect(again).toMatchObject({ status: 201, body: { status: 'working', tool: 'a', arguments: { topic: 'NO_WORKER' } } });
    const other = await api.post(`/api/v1/tasks/${taskId}/retry`, { reason: REASON, force: true, arguments: { topic: 'other' } });
    expect(other).toMatchObject({ status: 201, body: { arguments: { topic: 'other' } } });
    expect((await api.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({ status: 'failed' });
    const unknown = await api.post(`/api/v1/tasks/${taskId}/retry`, { reason: REASON, force: true, from: { step: 'nowhere' } });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'UNKNOWN_STEP' } });
  });

  it('does an operation to all tasks that fit, each once', async () => {
    const failed: string[] = [];
    for (let count = 0; count < 12; count++) failed.push(await api.fail('a', 'NO_WORKER'));
    await api.fail('b', 'NO_WORKER');
    const request = { action: 'retry', filter: { tool: 'a' } };
    expect((await api.post('/api/v1/bulk/count', request)).body).toMatchObject({ matched: 12 });
    const begun = await api.post('/api/v1/bulk', { ...request, reason: REASON });
    expect(begun).toMatchObject({ status: 202, body: { state: 'running', matched: 12, who: 'ada' } });
    const ended = await ending(String(begun.body['id']));
    expect(ended).toMatchObject({ state: 'done', done: 12, skipped: 0, failed: 0 });
    expect((await api.get('/api/v1/queue')).body).toMatchObject({ byStatus: { failed: 13, working: 12 } });
    const { body } = await api.get('/api/v1/audit');
    expect(body['entries']).toMatchObject([
      { action: 'bulk.retry.end', details: { state: 'done', done: 12 } },
      { action: 'bulk.retry', reason: REASON, details: { filter: { tool: 'a' } } },
    ]);
  });

  it('answers what all tasks ask that fit, where the answer fits', async () => {
    const asking = [await api.ask(), await api.ask(), await api.ask()];
    const approval = await api.ask({ ...FORM, _meta: { 'longhaul/approval': true } });
    const other = await api.ask({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
    });
    const request = { action: 'answer', filter: { tool: 'survey' } };
    const answer = { action: 'accept', content: { count: 3 } };
    expect((await api.post('/api/v1/bulk/count', request)).body).toMatchObject({ matched: 5 });
    for (const wrong of [request, { ...request, action: 'cancel', answer }])
      expect(await api.post('/api/v1/bulk', { ...wrong, reason: REASON })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'answer' }] },
      });
    const begun = await api.post('/api/v1/bulk', { ...request, answer, reason: REASON });
    const ended = await ending(String(begun.body['id']));
    expect(ended).toMatchObject({ done: 3, skipped: 1, failed: 1, failures: [{ taskId: other, code: 'ANSWER_DOES_NOT_FIT' }] });
    for (const taskId of asking) expect((await api.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({ pendingInputs: [] });
    expect((await api.get(`/api/v1/tasks/${approval}`)).body).toMatchObject({ pendingInputs: [{ approval: true }] });
  });

  it('ends an operation that is aborted', async () => {
    for (let count = 0; count < 30; count++) await api.create();
    const { body } = await api.post('/api/v1/bulk', { action: 'cancel', filter: {}, all: true, matched: 30, reason: REASON });
    const aborted = await api.post(`/api/v1/bulk/${String(body['id'])}/abort`, { reason: 'wrong filter' });
    if (aborted.status === 409) return expect(aborted.body).toMatchObject({ code: 'OPERATION_ENDED' });
    expect(aborted.body).toMatchObject({ state: 'aborted' });
    await api.operator.bulk.close();
    const { done } = (await api.get(`/api/v1/bulk/${String(body['id'])}`)).body;
    expect((await api.get('/api/v1/queue')).body).toMatchObject({ byStatus: { cancelled: done, working: 30 - Number(done) } });
  });

  it('names the field and the limit of a request that it does not understand', async () => {
    expect(await api.get('/api/v1/tasks?limit=1000')).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/problem+json' },
      body: { code: 'INVALID_REQUEST', errors: [{ field: 'limit', message: expect.stringContaining('200') as string }] },
    });
    expect(await api.post(`/api/v1/tasks/${randomUUID()}/cancel`, {})).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'reason' }] },
    });
    expect(await api.get('/api/v1/tasks?cursor=nonsense')).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    expect(await api.get('/api/v1/tasks/nonsense')).toMatchObject({ status: 404, body: { code: 'TASK_NOT_FOUND' } });
    const bulk = { action: 'cancel', filter: { status: ['failed'] }, reason: REASON };
    expect(await api.post('/api/v1/bulk', bulk)).toMatchObject({ status: 400, body: { errors: [{ field: 'filter.status' }] } });
  });

  async function ending(id: string): Promise<Record<string, unknown>> {
    return waitUntil(
      async () => {
        const { body } = await api.get(`/api/v1/bulk/${id}`);
        return body['state'] !== 'running' && (await api.get('/api/v1/audit')).body['entries']?.toString() !== '' && body;
      },
      { description: 'the operation has ended' },
    );
  }
});
