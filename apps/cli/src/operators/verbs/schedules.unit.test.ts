import { describe, expect, it } from 'vitest';
import { actOnSchedule, addSchedule, backfillSchedule, listSchedules, removeSchedule, showSchedule } from './schedules.js';
import { scriptedContext } from './verb-context.fixture.js';

const SCHEDULE = {
  name: 'nightly 🌙',
  tool: 'report',
  owner: 'user:ada',
  cron: '30 2 * * *',
  timeZone: 'Europe/Berlin',
  jitter: '0s',
  overlap: 'skip',
  catchUp: '1h',
  origin: 'api',
  addedAt: '2026-11-01T00:00:00.000Z',
  addedBy: 'operator:ada',
  status: 'active',
  next: '2026-11-27T01:30:00.000Z',
  waiting: 0,
  starts: 2,
  skips: 1,
};
const PATH = '/schedules/nightly%20%F0%9F%8C%99';
const reason = 'the books are closed';

describe('schedules', () => {
  it('are listed, page by page, with why one starts nothing', async () => {
    const paused = { ...SCHEDULE, name: 'p', status: 'paused', next: undefined, paused: { by: 'operator:ada', reason: 'moving', at: 'x' } };
    const refused = { ...SCHEDULE, name: 'r', refused: { code: 'TOO_MANY_TASKS', retryAt: 'soon', dueAt: 'x' } };
    const gone = { ...SCHEDULE, name: 'g', problem: 'No worker that is alive has the tool report.' };
    const context = scriptedContext(
      (request) => (request.includes('cursor') ? { schedules: [refused, gone] } : { schedules: [SCHEDULE, paused], cursor: 'p' }),
      {},
    );
    expect(await listSchedules(context)).toBe(0);
    expect(context.asked).toEqual(['GET /schedules?limit=50', 'GET /schedules?cursor=p&limit=48']);
    const [, first, second, third, fourth] = context.out;
    expect(first).toMatch(/nightly 🌙 +report +30 2 \* \* \* Europe\/Berlin +2026-11-27T01:30:00.000Z/);
    expect(second).toMatch(/paused +paused by operator:ada: moving/);
    expect(third).toContain('refused (TOO_MANY_TASKS), tried again at soon');
    expect(fourth).toContain('No worker that is alive has the tool report.');
  });

  it('are shown with their next times and their history', async () => {
    const history = [
      { version: 4, type: 'TimesSkipped', at: 't4', reason: 'outage', from: 'a', to: 'b', count: 3 },
      { version: 3, type: 'StartRefused', at: 't3', dueAt: 'd', code: 'NO_SUCH_TOOL', message: 'No worker has it.' },
      { version: 2, type: 'Started', at: 't2', dueAt: 'd', taskId: 'T', cause: 'backfill' },
      { version: 1, type: 'ScheduleAdded', at: 't1', by: 'operator:ada' },
    ];
    const context = scriptedContext(() => ({ ...SCHEDULE, arguments: { days: 1 }, times: ['n1', 'n2'], history }), {
      words: ['nightly 🌙'],
    });
    expect(await showSchedule(context)).toBe(0);
    expect(context.asked).toEqual([`GET ${PATH}`]);
    const printed = context.out.join('\n');
    for (const line of [
      /arguments +\{"days":1\}/,
      /next +n1/,
      /t4 +skipped 3 from a to b: outage/,
      /t3 +refused for d: No worker has it. \(NO_SUCH_TOOL\)/,
      /t2 +started T for d \(backfill\)/,
      /t1 +ScheduleAdded operator:ada/,
    ])
      expect(printed).toMatch(line);
  });

  it('are added with arguments as the schema of the tool says, and replaced', async () => {
    const tools = [{ name: 'report', inputSchema: { properties: { days: { type: 'integer' } } } }];
    const bodies: unknown[] = [];
    const respond = (request: string, body: unknown) => (request === 'GET /tools' ? { tools } : (bodies.push(body), SCHEDULE));
    const flags = { cron: '30 2 * * *', 'time-zone': 'Europe/Berlin', reason };
    const words = ['nightly 🌙', 'report', 'days=2'];
    const context = scriptedContext(respond, { words, flags });
    expect(await addSchedule(context)).toBe(0);
    const schedule = { tool: 'report', arguments: { days: 2 }, cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    expect(context.asked).toEqual(['GET /tools', 'POST /schedules']);
    expect(context.out).toEqual(['nightly 🌙 starts report at 2026-11-27T01:30:00.000Z']);
    const replacing = scriptedContext(respond, { words, flags: { ...flags, replace: true } });
    await addSchedule(replacing);
    expect(replacing.asked).toEqual(['GET /tools', `PUT ${PATH}`]);
    expect(bodies).toEqual([
      { name: 'nightly 🌙', schedule, reason },
      { schedule, reason },
    ]);
    await expect(addSchedule(scriptedContext(respond, { words: ['a', 'report', 'b'], flags }))).rejects.toThrow('write NAME=VALUE');
  });

  it('are paused, resumed, run, backfilled and removed', async () => {
    const typed = { words: ['nightly 🌙'], flags: { reason, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' } };
    const bodies: unknown[] = [];
    const context = scriptedContext((request, body) => {
      bodies.push(body);
      return request.endsWith('/backfill') ? { schedule: SCHEDULE, times: 3 } : SCHEDULE;
    }, typed);
    for (const verb of ['pause', 'resume', 'run'] as const) await actOnSchedule(context, verb);
    await backfillSchedule(context);
    await removeSchedule(context);
    const verbs = ['pause', 'resume', 'run', 'backfill'].map((verb) => `POST ${PATH}/${verb}`);
    expect(context.asked).toEqual([...verbs, `DELETE ${PATH}`]);
    expect(bodies[0]).toEqual({ reason });
    expect(bodies[3]).toEqual({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', reason });
    expect(context.out[3]).toBe('nightly 🌙 starts 3 past times, without those that were started');
    await expect(backfillSchedule(scriptedContext(() => SCHEDULE, { words: ['a'], flags: { reason } }))).rejects.toThrow('--from and --to');
  });
});
