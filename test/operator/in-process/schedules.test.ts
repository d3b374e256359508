/** Tests what operators see of schedules and do with them. */
import { defineTool } from '@longhaul/mcp-features';
import { scheduleShape } from '@longhaul/runtime/schedules';
import { createScheduleService, reconcileSchedules } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sqlite } from '../../stores/support/stores.js';
import { type Operated, operated, TOKENS } from '../support/operated.js';

const reason = 'the test does it';
const report = defineTool({
  name: 'report',
  description: 'Reports.',
  input: z.object({ days: z.number().default(1) }),
  task: 'optional',
  run: async () => 'reported',
});
const NIGHTLY = { tool: 'report', cron: '30 2 * * *', timeZone: 'Europe/Berlin', arguments: { days: 1 } };
const NAME = 'Bericht der Nacht 🌙 / alle';
const PATH = `/api/v1/schedules/${encodeURIComponent(NAME)}`;

describe('the operator API has schedules', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  beforeEach(async () => {
    opened = await sqlite.open();
    api = await operated(opened.store, { LONGHAUL_MAX_SCHEDULES: '3' }, [report]);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  const add = (name: string, schedule: object = NIGHTLY) => api.post('/api/v1/schedules', { name, schedule, reason });
  const problem = (status: number, code: string, field?: string) => ({
    status,
    body: { code, ...(field !== undefined && { errors: [{ field }] }) },
  });

  it('that are added, shown with their next ten times, listed page by page, and removed', async () => {
    expect(await add(NAME)).toMatchObject({ status: 201, body: { name: NAME, owner: 'operator:ada', status: 'active', origin: 'api' } });
    const { body } = await api.get(PATH);
    expect(body).toMatchObject({
      ...NIGHTLY,
      overlap: 'skip',
      catchUp: '1h',
      jitter: '0s',
      addedBy: 'operator:ada',
      starts: 0,
      waiting: 0,
    });
    expect(body['times']).toHaveLength(10);
    expect((body['times'] as string[])[0]).toBe(body['next']);
    expect(body['history']).toMatchObject([{ type: 'ScheduleAdded', by: 'operator:ada' }]);
    expect(body['problem']).toBe('No worker that is alive has the tool report.');
    await add('b', { tool: 'report', every: '1h30m', owner: 'user:bob' });
    const first = (await api.get('/api/v1/schedules?limit=1')).body;
    expect(first).toMatchObject({ schedules: [{ name: NAME }], cursor: NAME });
    const second = (await api.get(`/api/v1/schedules?limit=1&cursor=${encodeURIComponent(NAME)}`)).body;
    expect(second).toEqual({ schedules: [expect.objectContaining({ name: 'b', every: '1h30m', owner: 'user:bob' })] });
    expect(await api.delete(PATH, { reason })).toMatchObject({ status: 200, body: { name: NAME } });
    expect(await api.get(PATH)).toMatchObject(problem(404, 'SCHEDULE_NOT_FOUND'));
  });

  it('that are refused by field, with the limit', async () => {
    expect(await add('a', { ...NIGHTLY, cron: '61 * * * *' })).toMatchObject(problem(400, 'INVALID_REQUEST', 'schedule.cron'));
    expect(await add('a', { ...NIGHTLY, timeZone: 'Mars/Olympus' })).toMatchObject(problem(400, 'INVALID_REQUEST', 'schedule.timeZone'));
    expect((await add('a', { ...NIGHTLY, pausd: true })).body['detail']).toContain('pausd');
    expect(await add('a', { tool: 'report', at: '2020-01-01T00:00Z' })).toMatchObject(problem(422, 'INVALID_SCHEDULE', 'at'));
    expect(await add('a', { ...NIGHTLY, arguments: { days: 'one' } })).toMatchObject(problem(422, 'INVALID_ARGUMENTS', 'arguments'));
    expect(await add('a', { ...NIGHTLY, tool: 'nowhere' })).toMatchObject(problem(404, 'NO_SUCH_TOOL'));
    expect(await add(' a')).toMatchObject(problem(422, 'INVALID_SCHEDULE', 'name'));
    for (const name of ['a', 'b', 'c']) expect((await add(name)).status).toBe(201);
    expect(await add('a')).toMatchObject(problem(409, 'SCHEDULE_EXISTS', 'name'));
    const full = await add('d');
    expect(full).toMatchObject(problem(409, 'TOO_MANY_SCHEDULES'));
    expect(full.body['detail']).toContain('There are 3 schedules, which is the most (LONGHAUL_MAX_SCHEDULES)');
  });

  it('that are paused with a reason, resumed, run, backfilled and changed, by operators who may, for the audit log', async () => {
    await add(NAME);
    expect(await api.post(`${PATH}/pause`, { reason })).toMatchObject({
      body: { status: 'paused', paused: { reason, by: 'operator:ada' } },
    });
    expect((await api.get(PATH)).body).toMatchObject({ status: 'paused', times: [] });
    expect(await api.post(`${PATH}/run`, { reason })).toMatchObject({ body: { waiting: 1 } });
    expect(await api.post(`${PATH}/resume`, { reason })).toMatchObject({ body: { status: 'active' } });
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T23:59:59Z', reason };
    expect(await api.post(`${PATH}/backfill`, range)).toMatchObject({ body: { times: 3, schedule: { waiting: 2 } } });
    expect(await api.post(`${PATH}/backfill`, { ...range, to: '2126-01-01T00:00:00Z' })).toMatchObject(
      problem(422, 'INVALID_SCHEDULE', 'to'),
    );
    const other = { ...NIGHTLY, overlap: 'queue' };
    expect(await api.put(PATH, { schedule: other, reason })).toMatchObject({ status: 200, body: { overlap: 'queue' } });
    const reader = await api.post(`${PATH}/pause`, { reason }, { authorization: `Bearer ${TOKENS.reader}` });
    expect(reader.status).toBe(403);
    const { entries } = (await api.get('/api/v1/audit?limit=10')).body as {
      entries: { action: string; target: string; outcome: string }[];
    };
    const done = entries.filter(({ outcome }) => outcome === 'done').map(({ action }) => action);
    const verbs = ['change', 'backfill', 'resume', 'run', 'pause', 'add'];
    expect(done).toEqual(verbs.map((verb) => `schedule.${verb}`));
  });

  it('of the file, which are changed there only, but paused and run here', async () => {
    const { schedules } = opened.store;
    const service = createScheduleService({ store: opened.store, limits: { all: 9, ofTenant: 9 }, keepEvents: 10 });
    await reconcileSchedules({ schedules, service }, { nightly: scheduleShape.parse(NIGHTLY) });
    const path = '/api/v1/schedules/nightly';
    expect((await api.get(path)).body).toMatchObject({ origin: 'file', addedBy: 'file', owner: 'schedules' });
    expect(await api.put(path, { schedule: NIGHTLY, reason })).toMatchObject(problem(409, 'SCHEDULE_FROM_FILE'));
    expect(await api.delete(path, { reason })).toMatchObject(problem(409, 'SCHEDULE_FROM_FILE'));
    expect((await api.post(`${path}/pause`, { reason })).status).toBe(200);
  });
});
