/** Tests that a task is retried once, on every store: whoever asks for it, how often, and from how many processes. */
import type { TaskId } from '@longhaul/tasks';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { stores } from '../../stores/support/stores.js';
import { operated, type Operated } from '../support/operated.js';

const REASON = 'the bank is back';

interface Bulk {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly skipped: number;
}

describe.each(stores)('retries on $name', ({ open }) => {
  let api: Operated;
  /** The API of another process. */
  let other: Operated;
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
    [api, other] = await Promise.all([operated(opened.store), operated(opened.store)]);
  });
  afterEach(async () => {
    await Promise.all([api.operator.close(), other.operator.close()]);
    await opened.close();
  });

  const retry = (taskId: TaskId, body: object = {}, at = api) => at.post(`/api/v1/tasks/${taskId}/retry`, { reason: REASON, ...body });
  const bulk = (tool: string, body: object = {}, at = api) =>
    at.post('/api/v1/bulk', { action: 'retry', filter: { tool, status: ['failed'] }, reason: REASON, ...body });
  const ended = async ({ id }: Bulk): Promise<Bulk> =>
    waitUntil(
      async () => {
        const { body } = await api.get(`/api/v1/bulk/${id}`);
        return body['state'] === 'running' ? undefined : (body as unknown as Bulk);
      },
      { description: 'the operation has ended' },
    );
  const unfinished = async (tool: string): Promise<number> =>
    ((await api.get(`/api/v1/tasks?tool=${tool}&status=working&limit=200`)).body['tasks'] as unknown[]).length;
  const groups = async (): Promise<unknown> => (await api.get('/api/v1/failures')).body['groups'];
  const retriedAs = async (taskId: TaskId): Promise<unknown> => (await api.get(`/api/v1/tasks/${taskId}`)).body['retriedAs'];

  it('say what they made: in the answer, in the audit log, at the old task, in the list', async () => {
    const taskId = await api.fail('charge', 'TOOL_ERROR');
    expect(await groups()).toMatchObject([{ tool: 'charge', count: 1 }]);
    const { status, body } = await retry(taskId);
    expect({ status, from: body['forkedFrom'] }).toMatchObject({
      status: 201,
      from: { taskId, by: expect.stringContaining('operator:ada') as string },
    });
    const newId = body['taskId'];
    expect(await retriedAs(taskId)).toBe(newId);
    const { entries } = (await api.get('/api/v1/audit?limit=1')).body as { entries: unknown[] };
    expect(entries).toMatchObject([{ action: 'task.retry', target: taskId, details: { retriedAs: newId } }]);
    expect((await api.get('/api/v1/tasks?status=failed')).body).toMatchObject({ tasks: [{ taskId, retriedAs: newId }] });
    expect(await groups()).toEqual([]);
  });

  it('are refused for a task that was retried, unless they are forced', async () => {
    const taskId = await api.fail('charge', 'TOOL_ERROR');
    const first = (await retry(taskId)).body['taskId'] as string;
    expect(await retry(taskId, {}, other)).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_RETRIED', detail: expect.stringContaining(first) as string },
    });
    const forced = await retry(taskId, { force: true });
    expect(forced.status).toBe(201);
    expect(await retriedAs(taskId)).toBe(forced.body['taskId']);
    expect(forced.body['taskId']).not.toBe(first);
    expect((await retry(taskId)).status).toBe(409);
    expect((await bulk('charge')).body).toMatchObject({ matched: 0 });
    expect(await unfinished('charge')).toBe(2);
  });

  it('with an idempotency key give the same task each time, also when they are forced', async () => {
    const taskId = await api.fail('charge', 'TOOL_ERROR');
    const made = [];
    for (const force of [false, false, true, true])
      made.push((await retry(taskId, { force, idempotencyKey: `dialog-${force}` })).body['taskId']);
    expect([made[1], made[3], new Set(made).size]).toEqual([made[0], made[2], 2]);
  });

  it('of one task at once make one task', async () => {
    const taskId = await api.fail('charge', 'TOOL_ERROR');
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => retry(taskId, {}, at % 2 === 0 ? api : other)));
    expect(answers.map(({ status }) => status).toSorted((one, next) => one - next)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await unfinished('charge')).toBe(1);
  });

  it('are found again if their process died before it noted them', async () => {
    const taskId = await api.fail('charge', 'TOOL_ERROR');
    const { operators } = opened.store;
    const { noteRetry } = operators;
    operators.noteRetry = async () => Promise.reject(new Error('The process has died.'));
    await retry(taskId);
    operators.noteRetry = noteRetry.bind(operators);
    expect(await retriedAs(taskId)).toBeUndefined();
    expect((await retry(taskId)).body['code']).toBe('ALREADY_RETRIED');
    expect(await retriedAs(taskId)).toBeDefined();
    expect(await unfinished('charge')).toBe(1);
  });

  it('of many tasks at once, in two processes, make one task of each', async () => {
    let run = 0;
    const plan = fc.record({
      tasks: fc.integer({ min: 1, max: 12 }),
      // Which of the tasks are retried alone meanwhile.
      alone: fc.array(fc.nat(11), { maxLength: 3 }),
      operations: fc.array(fc.constantFrom('here', 'there'), { minLength: 2, maxLength: 3 }),
    });
    const holds = async ({ tasks, alone, operations }: { tasks: number; alone: number[]; operations: string[] }): Promise<void> => {
      const tool = `many-${run++}`;
      const ids: TaskId[] = [];
      for (let made = 0; made < tasks; made += 1) ids.push(await api.fail(tool, 'TOOL_ERROR'));
      const begun = operations.map(async (where) => (await bulk(tool, {}, where === 'here' ? api : other)).body as unknown as Bulk);
      const single = alone.flatMap((at) => (ids[at] === undefined ? [] : [retry(ids[at], {}, other)]));
      const [results] = await Promise.all([Promise.all(begun), Promise.all(single)]);
      await Promise.all(results.map(ended));
      expect(await unfinished(tool)).toBe(tasks);
      expect((await groups()) as { tool: string }[]).not.toContainEqual(expect.objectContaining({ tool }));
    };
    await fc.assert(fc.asyncProperty(plan, holds), { numRuns: 12 });
  });

  it('of many tasks count those that were retried as skipped, and take them if they are forced', async () => {
    const ids = [await api.fail('mixed', 'TOOL_ERROR'), await api.fail('mixed', 'TOOL_ERROR')];
    await retry(ids[0] as TaskId);
    const filter = { tool: 'mixed', status: ['failed'] };
    expect((await api.post('/api/v1/bulk/count', { action: 'retry', filter })).body).toMatchObject({ matched: 1, sample: [ids[1]] });
    expect((await api.post('/api/v1/bulk/count', { action: 'retry', filter, force: true })).body).toMatchObject({ matched: 2 });
    const first = await ended((await bulk('mixed')).body as unknown as Bulk);
    expect(first).toMatchObject({ matched: 1, done: 1, failed: 0 });
    expect(await ended((await bulk('mixed', { force: true })).body as unknown as Bulk)).toMatchObject({ matched: 2, done: 2 });
    expect(await unfinished('mixed')).toBe(4);
  });

  it('of many tasks begin once with one idempotency key, and not for another request', async () => {
    for (let made = 0; made < 3; made += 1) await api.fail('keyed', 'TOOL_ERROR');
    const body = { idempotencyKey: 'dialog 🌙', force: true };
    const answers = await Promise.all([bulk('keyed', body), bulk('keyed', body, other), bulk('keyed', body)]);
    const [begun] = answers.map((answer) => answer.body as unknown as Bulk);
    expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
    await ended(begun as Bulk);
    expect((await bulk('keyed', body)).body).toMatchObject({ id: begun?.id, state: 'done' });
    expect(await unfinished('keyed')).toBe(3);
    expect(await bulk('other', body)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect(await bulk('keyed', { force: true, action: 'cancel' })).toMatchObject({ status: 400 });
    expect(await bulk('keyed', { forced: true })).toMatchObject({ status: 400 });
  });
});
