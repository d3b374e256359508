/** Tests how operators start, export and import tasks. */
import { randomUUID } from 'node:crypto';
import { defineTool, type Feature } from '@longhaul/mcp-features';
import { rowOf, type TaskId } from '@longhaul/tasks';
import { MAX_TTL_MS } from '@longhaul/tasks/limits';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sqlite } from '../../stores/support/stores.js';
import { operated, type Operated, TOKENS } from '../support/operated.js';

const REASON = 'it was asked for by phone';

/** An event of a document. */
interface Recorded {
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const research = defineTool({
  name: 'research',
  title: 'Research',
  description: 'Looks things up.',
  input: z.object({ topic: z.string().min(1), depth: z.number().int().max(5).default(1) }),
  task: 'required',
  ttlMs: 90_000,
  run: async ({ topic }) => topic,
});
const sampling = defineTool({
  name: 'sampling',
  description: 'Asks a model.',
  input: z.object({}),
  needs: ['sampling'],
  task: 'required',
  run: async () => '',
});
const echo = defineTool({ name: 'echo', description: 'Answers at once.', input: z.object({}), run: () => '' });
const features: readonly Feature[] = [research, sampling, echo];

describe('operators', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  beforeEach(async () => {
    opened = await sqlite.open();
    api = await operated(opened.store, {}, features);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  const latestAct = async (): Promise<unknown> => ((await api.get('/api/v1/audit?limit=1')).body['entries'] as unknown[])[0];

  describe('start a tool', () => {
    const start = (tool: string, body: object) => api.post(`/api/v1/tools/${tool}/tasks`, { reason: REASON, ...body });

    it('that is listed with its schema, as a task of their own or of an owner', async () => {
      expect((await api.get('/api/v1/tools')).body).toMatchObject({
        tools: [
          {
            name: 'research',
            title: 'Research',
            description: 'Looks things up.',
            inputSchema: { properties: { topic: { type: 'string' } } },
          },
          { name: 'sampling' },
        ],
        unloaded: [],
      });
      const own = await start('research', { arguments: { topic: 'tides' } });
      expect(own).toMatchObject({ status: 201, body: { tool: 'research', owner: 'operator:ada', status: 'working' } });
      expect((await api.get(`/api/v1/tasks/${String(own.body['taskId'])}`)).body).toMatchObject({
        arguments: { topic: 'tides' },
        startedBy: 'operator:ada',
        ttlMs: 90_000,
      });
      expect(await start('research', { arguments: { topic: 'tides' }, owner: 'alice' })).toMatchObject({ body: { owner: 'alice' } });
      expect(await latestAct()).toMatchObject({ action: 'tool.start', target: 'research', details: { owner: 'alice' }, outcome: 'done' });
    });

    it('with arguments that fit, and no tool that needs a client or runs elsewhere', async () => {
      expect(await start('research', { arguments: { topic: '', depth: 9 } })).toMatchObject({
        status: 422,
        body: { code: 'INVALID_ARGUMENTS', detail: expect.stringMatching(/topic.*depth/s) as string, errors: [{ field: 'arguments' }] },
      });
      expect(await start('sampling', {})).toMatchObject({ status: 409, body: { code: 'NEEDS_CLIENT' } });
      expect(await start('echo', {})).toMatchObject({ status: 409, body: { code: 'NOT_A_TASK' } });
      expect(await start('nowhere', {})).toMatchObject({
        status: 404,
        body: { code: 'NO_SUCH_TOOL', detail: expect.stringContaining('LONGHAUL_SERVERS') as string },
      });
      await opened.store.workers.beat({ workerId: 'w', version: '1', tools: ['elsewhere'], lockToken: 't', slots: 1, startedAt: 0 });
      expect(await start('elsewhere', {})).toMatchObject({ status: 409, body: { code: 'TOOL_NOT_LOADED' } });
      expect((await api.get('/api/v1/tasks')).body['tasks']).toEqual([]);
    });

    it('within the limits of the owner', async () => {
      const limited = await operated(opened.store, { LONGHAUL_MAX_TASKS_PER_OWNER: '1' }, features);
      const body = { arguments: { topic: 'tides' }, owner: 'bob', reason: REASON };
      expect((await limited.post('/api/v1/tools/research/tasks', body)).status).toBe(201);
      expect(await limited.post('/api/v1/tools/research/tasks', body)).toMatchObject({
        status: 409,
        body: { code: 'TOO_MANY_TASKS', detail: expect.stringContaining('At most 1 tasks') as string },
      });
      await limited.operator.close();
    });
  });

  describe('see the timeline of a task', () => {
    it('with its passes, operations and waits, page by page', async () => {
      const taskId = await api.ask();
      const { body } = await api.get(`/api/v1/tasks/${taskId}/timeline`);
      expect(body).toMatchObject({
        passes: [{ version: 2, pass: 1, workerId: 'worker', ending: 'suspended' }],
        operations: [{ key: 'ask', kind: 'question', status: 'waiting', method: 'elicitation/create', version: 3 }],
        waits: [{ reason: 'queue' }, { reason: 'question', keys: ['ask'] }],
        counts: { passes: 1, operations: 1, waits: 2 },
      });
      const first = await api.get(`/api/v1/tasks/${taskId}/timeline?limit=1`);
      expect(first.body).toMatchObject({ waits: [{ reason: 'queue' }], next: 1 });
      const second = await api.get(`/api/v1/tasks/${taskId}/timeline?limit=1&offset=1`);
      expect(second.body).toMatchObject({ passes: [], operations: [], waits: [{ reason: 'question' }] });
      expect(second.body).not.toHaveProperty('next');
      const end = await api.get(`/api/v1/tasks/${taskId}/timeline?last=1`);
      expect(end.body).toMatchObject({ operations: [{ key: 'ask' }], waits: [{ reason: 'question' }], counts: { passes: 1, waits: 2 } });
      expect(end.body).not.toHaveProperty('next');
      expect(await api.get(`/api/v1/tasks/${randomUUID()}/timeline`)).toMatchObject({ status: 404 });
      const asked = (body['operations'] as { startedAt: string }[])[0]?.startedAt;
      expect((await api.get('/api/v1/questions')).body['questions']).toMatchObject([{ taskId, since: asked }]);
    });

    it('of 10,000 events', async () => {
      const history = new TaskHistory();
      const row = () => ({ row: rowOf(history.projection.view) });
      await api.append(history.create({ tool: 'long' }));
      await api.append(history.claim());
      const { epoch } = history.state;
      for (let part = 0; part < 10; part++) {
        const steps = Array.from({ length: 999 }, (_, at) => ({
          type: 'CompleteStep' as const,
          at: history.startedAt,
          epoch,
          key: `step ${part}.${at}`,
          value: 'x'.repeat(100),
        }));
        expect(await opened.store.events.append({ ...history.append(steps, epoch), ...row() })).toBe('appended');
      }
      const { body } = await api.get(`/api/v1/tasks/${history.taskId}/timeline?limit=2000&offset=8000`);
      expect(body).toMatchObject({ counts: { operations: 9_990, passes: 1 }, operations: expect.any(Array) as unknown[] });
      expect((body['operations'] as unknown[]).length).toBe(1_990);
      expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
    });
  });

  describe('take a history out, and bring it in', () => {
    const bringIn = (history: unknown) => api.post('/api/v1/tasks/import', { history, reason: REASON });

    it('is refused when it is nested too deeply, and says how deep it may be', async () => {
      const { body } = await api.get(`/api/v1/tasks/${await api.fail('a', 'NO_WORKER')}/export`);
      const request = JSON.stringify({ history: { ...body, events: 'deep' }, reason: REASON });
      // JSON.stringify cannot make such a text.
      const deep = request.replace('"deep"', () =>
        JSON.stringify(body['events']).replace('"topic":', `"deep":${'['.repeat(5_000)}${']'.repeat(5_000)},"topic":`),
      );
      const answer = await api.operator.app.inject({
        method: 'POST',
        url: '/api/v1/tasks/import',
        headers: { host: 'localhost', authorization: `Bearer ${TOKENS.ada}`, 'content-type': 'application/json' },
        payload: deep,
      });
      expect(deep).toContain('[[[[');
      expect([answer.statusCode, answer.json()]).toMatchObject([
        400,
        { code: 'INVALID_REQUEST', detail: 'history: it is nested deeper than 1000 levels' },
      ]);
    });

    it('under another id while the task is here, as a task that has ended and is for operators only', async () => {
      const taskId = await api.fail('a', 'NO_WORKER');
      const exported = await api.get(`/api/v1/tasks/${taskId}/export`);
      expect(exported.body).toMatchObject({
        format: 'longhaul-history',
        formatVersion: 1,
        taskId,
        tool: 'a',
        owner: 'alice',
        events: [{ version: 1, type: 'TaskCreated' }, { version: 2 }, { version: 3, type: 'TaskFailed' }],
      });
      const imported = await bringIn(exported.body);
      expect(imported).toMatchObject({
        status: 201,
        body: {
          tool: 'a',
          owner: 'alice',
          status: 'failed',
          reason: 'NO_WORKER',
          isImported: true,
          imported: { taskId, by: 'operator:ada' },
        },
      });
      const importedId = String(imported.body['taskId']);
      expect(await latestAct()).toMatchObject({
        action: 'task.import',
        target: taskId,
        details: { tool: 'a', owner: 'alice', importedAs: importedId },
        outcome: 'done',
      });
      expect(importedId).not.toBe(taskId);
      expect((await api.get(`/api/v1/tasks?tool=a`)).body['tasks']).toHaveLength(2);
      await expect(api.service.get(importedId, { owner: 'alice' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
      await expect(api.service.getOfCall(importedId, { owner: 'alice' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
      expect((await api.service.list({ owner: 'alice' })).tasks).toEqual([]);
      expect((await api.get('/api/v1/queue')).body).toMatchObject({ waiting: 0, delayed: 0 });
      expect(await api.post(`/api/v1/tasks/${importedId}/cancel`, { reason: REASON })).toMatchObject({ status: 409 });
      const ofAll = { action: 'retry', filter: { tool: 'a' } };
      expect((await api.post('/api/v1/bulk/count', ofAll)).body).toEqual({ matched: 1, sample: [taskId] });
      const again = await api.post(`/api/v1/tasks/${importedId}/retry`, { reason: REASON });
      expect(again).toMatchObject({ status: 201, body: { status: 'working' } });
      expect(again.body).not.toHaveProperty('imported');
      const [created] = await opened.store.events.read(String(again.body['taskId']) as TaskId);
      expect(created).toMatchObject({ data: { forkedFrom: { taskId: importedId, stepKeysOf: taskId } } });
      expect(await api.service.get(String(again.body['taskId']), { owner: 'alice' })).toMatchObject({ tool: 'a' });
    });

    it('under the id that it had where that is free, also of a task that was continued as new', async () => {
      const history = new TaskHistory();
      await api.append(history.create({ tool: 'a', arguments: { round: 1 } }));
      await api.append(history.claim());
      await api.append(history.continueAsNew({ round: 2 }));
      await api.append(history.claim(2));
      await api.append(history.complete());
      const { body } = await api.get(`/api/v1/tasks/${history.taskId}/export`);
      expect(body['events']).toMatchObject([{ version: 3, type: 'TaskContinued' }, { version: 4 }, { version: 5, type: 'TaskCompleted' }]);
      const other = await sqlite.open();
      const there = await operated(other.store);
      const imported = await there.post('/api/v1/tasks/import', { history: body, reason: REASON });
      expect(imported).toMatchObject({ status: 201, body: { taskId: history.taskId, status: 'completed', arguments: { round: 2 } } });
      expect((await there.get(`/api/v1/tasks/${history.taskId}/timeline`)).body).toMatchObject({ passes: [{ ending: 'completed' }] });
      await there.operator.close();
      await other.close();
    });

    it('without what the document says of its caller, so that a task made of it runs as nobody else', async () => {
      const { body } = await api.get(`/api/v1/tasks/${await api.fail('a', 'X')}/export`);
      const [created, ...rest] = body['events'] as { data: object }[];
      const forged = (more: object) => ({ ...body, events: [{ ...created, data: { ...created?.data, ...more } }, ...rest] });
      const claims = { auth: { subject: 'bob', scopes: ['admin'] }, accounts: ['bob'], sessionId: 's', idempotencyKey: 'k', ttlMs: 1e12 };
      const firstOf = async (taskId: unknown) => (await opened.store.events.read(String(taskId) as TaskId))[0]?.data;
      for (const [id, recordOwner] of [
        ['bob', undefined],
        ['alice', { id: 'alice' }],
      ] as const) {
        const imported = await bringIn(forged({ ...claims, recordOwner: { id } }));
        const again = await api.post(`/api/v1/tasks/${String(imported.body['taskId'])}/retry`, { reason: REASON });
        for (const { body: made } of [imported, again]) {
          const data = await firstOf(made['taskId']);
          expect(data).toMatchObject({ owner: 'alice', ttlMs: MAX_TTL_MS.most });
          for (const name of ['auth', 'accounts', 'sessionId', 'idempotencyKey']) expect(data).not.toHaveProperty(name);
          expect((data as { recordOwner?: object }).recordOwner).toEqual(recordOwner);
        }
      }
    });

    it('only with what operators can be shown, because one task that cannot be breaks every list', async () => {
      const { body } = await api.get(`/api/v1/tasks/${await api.fail('a', 'X')}/export`);
      const [created, started] = body['events'] as [Recorded, Recorded];
      const { at } = created;
      const withData = (index: number, data: object) => [created, started].map((event, n) => (n === index ? { ...event, data } : event));
      const failed = { version: 3, type: 'TaskFailed', at, data: { error: { code: 1, message: 'no' } } };
      const step = { version: 3, type: 'StepCompleted', at, data: { key: 'a', startedAt: 1e300, startedAfter: 2 } };
      const client = { ...(created.data['client'] as object), name: 5 };
      const wrong: readonly (readonly [field: string, events: readonly object[]])[] = [
        ['1.data.version', [...withData(1, { ...started.data, version: 5 }), failed]],
        ['2.data.reason', [created, started, { ...failed, type: 'TaskCancelled', data: { by: 'x', reason: {} } }]],
        ['2.data.error.code', [created, started, { ...failed, data: { error: { code: 1.5, message: 'no' } } }]],
        ['2.data.startedAt', [created, started, step, { ...failed, version: 4 }]],
        ['0.data.forkedFrom', [...withData(0, { ...created.data, forkedFrom: 'x' }), failed]],
        ['0.data.startedBy', [...withData(0, { ...created.data, startedBy: 5 }), failed]],
        ['0.data.client.name', [...withData(0, { ...created.data, client }), failed]],
      ];
      for (const [field, events] of wrong)
        expect(await bringIn({ ...body, events })).toMatchObject({
          status: 400,
          body: { errors: [{ field: `history.events.${field}` }] },
        });
      expect(await api.get('/api/v1/tasks')).toMatchObject({ status: 200, body: { tasks: [{ tool: 'a' }] } });
      expect(
        await bringIn({ ...body, events: [created, started, { ...step, data: { key: 'a' } }, { ...failed, version: 4 }] }),
      ).toMatchObject({
        status: 201,
      });
    });

    it('only what is one: a wrong field is named', async () => {
      const unfinished = (await api.get(`/api/v1/tasks/${await api.ask()}/export`)).body;
      expect(await bringIn(unfinished)).toMatchObject({
        status: 422,
        body: { code: 'HISTORY_UNREADABLE', detail: expect.stringContaining('end of the task') as string },
      });
      const { body } = await api.get(`/api/v1/tasks/${await api.fail('a', 'X')}/export`);
      const events = body['events'] as Record<string, unknown>[];
      const wrong = (at: number, changes: object) => ({
        ...body,
        events: events.map((event, index) => (index === at ? { ...event, ...changes } : event)),
      });
      expect(await bringIn({ ...body, formatVersion: 2 })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'history.formatVersion' }] },
      });
      for (const field of ['tool', 'owner'])
        expect(await bringIn({ ...body, [field]: 'other' })).toMatchObject({
          status: 400,
          body: { errors: [{ field: `history.${field}` }] },
        });
      expect(await bringIn(wrong(1, { data: { pass: 1 } }))).toMatchObject({
        status: 400,
        body: { errors: expect.arrayContaining([expect.objectContaining({ field: 'history.events.1.data.workerId' })]) as unknown[] },
      });
      expect(await bringIn(wrong(1, { type: 'Nonsense' }))).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'history.events.1.type' }] },
      });
      expect(await bringIn(wrong(2, { version: 7 }))).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining('events[2].version: must be 3') as string },
      });
      expect(await bringIn({ ...body, events: [...events, { ...events[1], version: 4 }] })).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining('events[3]') as string },
      });
      expect((await api.get('/api/v1/tasks')).body['tasks']).toHaveLength(2);
    });
  });
});
