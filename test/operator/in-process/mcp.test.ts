/** Tests that an assistant runs a deployment with the tools of the operator's port, with stock clients of both protocol versions. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStock, VERSIONS } from '../../support/stock-clients.js';
import { operated, type Operated, TOKENS } from '../support/operated.js';
import { reportServers } from '../support/server-reports.js';

const REASON = 'the bank is back';
const WARNING = { code: 'CLOCK_OFF', message: 'The clock of this process is 60 s behind the clock of the store.' };
const READING = [
  'queue',
  'stats',
  'list-failures',
  'show-failure',
  'warnings',
  'list-tasks',
  'show-task',
  'list-questions',
  'list-tenants',
  'show-owner',
  'show-principal',
  'list-schedules',
  'show-schedule',
  'list-servers',
  'show-server',
  'count-bulk',
  'list-bulk',
  'show-bulk',
  'made-by-bulk',
];
const CHANGING = [
  'set-tenant',
  'answer-question',
  'send-signal',
  'cancel-task',
  'retry-task',
  'revoke-principal',
  'add-schedule',
  'pause-schedule',
  'resume-schedule',
  'run-schedule',
  'backfill-schedule',
  'restart-server',
  'turn-off-server',
  'turn-on-server',
  'retry-failure',
  'snooze-failure',
  'dismiss-failure',
  'reopen-failure',
  'start-bulk',
  'abort-bulk',
  'resume-bulk',
];

const store = openMemoryStore({
  onError: (error) => {
    throw error;
  },
});
let api: Operated;
let url: URL;
beforeAll(async () => {
  api = await operated(store);
  await api.operator.app.listen({ host: '127.0.0.1', port: 0 });
  url = new URL(`http://127.0.0.1:${(api.operator.app.server.address() as AddressInfo).port}/mcp`);
});
afterAll(async () => {
  await api.operator.close();
  await store.close();
});

describe.each(VERSIONS)('the tools for operators in %s', (version) => {
  const connect = (token: string) => connectStock(version, url, { token });

  it('let an assistant find a failed task and do it again', async () => {
    const assistant = await connect(TOKENS.ada);
    const taskId = await api.fail('charge', 'BANK_CLOSED');
    expect((await assistant.call('list-failures')).structuredContent).toMatchObject({
      groups: [{ tool: 'charge', reason: 'BANK_CLOSED' }],
    });
    await store.processReports.put('warnings:gateway-1', JSON.stringify({ warnings: [WARNING] }));
    expect((await assistant.call('warnings')).structuredContent).toEqual({ warnings: [{ ...WARNING, processes: ['gateway-1'] }] });
    const listed = await assistant.call('list-tasks', { status: ['failed'], tool: 'charge', text: 'bank_closed', limit: 1 });
    expect(listed.structuredContent).toMatchObject({ tasks: [{ taskId }] });
    const again = await assistant.call('retry-task', { taskId, reason: REASON, arguments: { topic: 'later' } });
    expect(again.structuredContent).toMatchObject({ status: 'working', tool: 'charge', arguments: { topic: 'later' } });
    const { taskId: newId } = again.structuredContent as { taskId: string };
    expect((await assistant.call('show-task', { taskId: newId })).structuredContent).toMatchObject({ waiting: { for: 'queue' } });
    expect((await assistant.call('cancel-task', { taskId: newId, reason: REASON })).structuredContent).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'operator:ada',
    });
    const { body } = await api.get('/api/v1/audit?limit=2');
    expect(body['entries']).toMatchObject([
      { who: 'ada', action: 'task.cancel', target: newId, reason: REASON, outcome: 'done' },
      { who: 'ada', action: 'task.retry', target: taskId, reason: REASON, outcome: 'done' },
    ]);
    await assistant.close();
  });

  it('let it change what a tenant may have, and see what an owner uses of that', async () => {
    const assistant = await connect(TOKENS.ada);
    const changed = await assistant.call('set-tenant', { tenant: 'acme', settings: { unfinishedTasks: 12 }, reason: REASON });
    expect(changed.structuredContent).toMatchObject({ name: 'acme', settings: { unfinishedTasks: 12 } });
    expect((await assistant.call('list-tenants')).structuredContent).toMatchObject({ tenants: [{ name: 'acme' }] });
    expect((await assistant.call('show-owner', { owner: 'user:acme' })).structuredContent).toMatchObject({
      tenant: 'acme',
      limits: { unfinishedTasks: 12, tasksPerMinute: 600 },
      used: { unfinishedTasks: 0 },
    });
    await assistant.close();
  });

  it('let it see what a caller has before it revokes it', async () => {
    const reader = await connect(TOKENS.reader);
    const name = crypto.randomUUID();
    await store.sessionSlots.take(`user:${name}`, crypto.randomUUID(), 10);
    expect((await reader.call('show-principal', { principal: { name } })).structuredContent).toMatchObject({
      owners: [`user:${name}`],
      openSessions: 1,
      sessions: [{ owner: `user:${name}`, session: expect.stringMatching(/^[0-9a-f]{12}$/) as string }],
      revocations: [],
    });
    await reader.close();
  });

  it('let it answer a question with what fits, and say what does not', async () => {
    const assistant = await connect(TOKENS.ada);
    const taskId = await api.ask();
    const { questions } = (await assistant.call('list-questions', { tool: 'survey' })).structuredContent as { questions: object[] };
    expect(questions[0]).toMatchObject({ taskId, key: 'ask', message: 'How many?', answerable: true });
    const answer = (count: number) =>
      assistant.call('answer-question', { taskId, key: 'ask', action: 'accept', content: { count }, reason: REASON });
    const refused = await answer(12);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toMatch(/count.*ANSWER_DOES_NOT_FIT/);
    expect((await answer(3)).structuredContent).toMatchObject({ taskId, pendingInputs: [] });
    expect(JSON.stringify((await answer(4)).content)).toContain('NOT_ASKED');
    const { body } = await api.get('/api/v1/audit?limit=3');
    expect(body['entries']).toMatchObject([{ outcome: 'NOT_ASKED' }, { outcome: 'done' }, { outcome: 'ANSWER_DOES_NOT_FIT' }]);
    expect((await assistant.call('queue')).structuredContent).toMatchObject({ byStatus: { input_required: 0 } });
    await assistant.close();
  });

  it('let it send a signal, which a task keeps that does not wait', async () => {
    const assistant = await connect(TOKENS.ada);
    const taskId = await api.ask();
    const sent = await assistant.call('send-signal', { taskId, name: 'stop', value: { by: 'model' }, reason: REASON });
    expect(sent.structuredContent).toMatchObject({ taskId, signals: { awaited: [], kept: [{ name: 'stop', via: 'operator:ada' }] } });
    await assistant.call('cancel-task', { taskId, reason: REASON });
    await assistant.close();
  });

  it('take ids of tasks only, not the names of streams that are beside them', async () => {
    const reader = await connect(TOKENS.reader);
    for (const taskId of ['events', '../overview/events', 'nonsense']) {
      const tried = await reader.call('show-task', { taskId }).catch((error: unknown) => ({ isError: true, content: String(error) }));
      expect(tried.isError).toBe(true);
      expect(JSON.stringify(tried.content)).toContain('must be the id of a task');
    }
    await reader.close();
  });

  it('let an assistant add a schedule, look at it, pause and backfill it', async () => {
    const assistant = await connect(TOKENS.ada);
    await store.workers.beat({ workerId: 'w', version: '1', tools: ['charge'], lockToken: 't', slots: 1, startedAt: 0 });
    const name = `nightly in ${version}`;
    const schedule = { tool: 'charge', cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    const added = await assistant.call('add-schedule', { name, schedule, reason: REASON });
    expect(added.structuredContent).toMatchObject({ name, status: 'active', addedBy: 'operator:ada' });
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    expect((await assistant.call('backfill-schedule', { name, ...range, reason: REASON })).structuredContent).toMatchObject({ times: 1 });
    expect((await assistant.call('pause-schedule', { name, reason: REASON })).structuredContent).toMatchObject({ status: 'paused' });
    const { structuredContent } = await assistant.call('show-schedule', { name });
    expect(structuredContent).toMatchObject({ paused: { reason: REASON }, history: [{ type: 'SchedulePaused' }, {}, {}] });
    expect(JSON.stringify((await assistant.call('list-schedules')).structuredContent)).toContain(name);
    await assistant.close();
  });

  it('let an assistant see a proxied server, turn a tool of it off and on, and restart it', async () => {
    const assistant = await connect(TOKENS.ada);
    await reportServers(store);
    expect((await assistant.call('list-servers')).structuredContent).toMatchObject({ servers: [{}, { name: 'files', state: 'away' }] });
    const target = { name: 'files', tool: 'write', reason: REASON };
    expect((await assistant.call('turn-off-server', target)).structuredContent).toMatchObject({ toolsOff: ['write'] });
    expect((await assistant.call('show-server', { name: 'files' })).structuredContent).toMatchObject({
      tools: [{}, { off: { reason: REASON } }],
    });
    expect((await assistant.call('turn-on-server', target)).structuredContent).toMatchObject({ toolsOff: [] });
    expect((await assistant.call('restart-server', { name: 'files', reason: REASON })).isError).not.toBe(true);
    await assistant.close();
  });

  it('say of each what it does', async () => {
    const assistant = await connect(TOKENS.ada);
    const tools = await assistant.tools();
    expect(tools.map(({ name }) => name)).toEqual([...READING, ...CHANGING]);
    const having = (hint: string) => tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name);
    expect(having('readOnlyHint')).toEqual(READING);
    expect(having('destructiveHint')).toEqual([
      'answer-question',
      'send-signal',
      'cancel-task',
      'revoke-principal',
      'restart-server',
      'turn-off-server',
      'start-bulk',
    ]);
    await assistant.close();
  });

  it('are those that read, for a token that may only read', async () => {
    const reader = await connect(TOKENS.reader);
    expect((await reader.tools()).map(({ name }) => name)).toEqual(READING);
    const taskId = await api.create();
    const tried = await reader
      .call('cancel-task', { taskId, reason: REASON })
      .catch((error: unknown) => ({ isError: true, content: String(error) }));
    expect(tried).toMatchObject({ isError: true, content: expect.stringContaining('cancel-task') as string });
    expect((await reader.call('show-task', { taskId })).structuredContent).toMatchObject({ status: 'working' });
    await reader.close();
  });

  it('are nothing for those without a token', async () => {
    await expect(connect('n0body.has.this.token.here')).rejects.toThrow(/401|not known|Unauthorized/);
  });
});

/** Sends headers that `fetch` would not let through. */
function post(headers: Record<string, string>): Promise<number | undefined> {
  const given = {
    authorization: `Bearer ${TOKENS.ada}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...given, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  });
}

describe('the endpoint of these tools', () => {
  it('is served to its own name, and to no page of another host', async () => {
    expect(await post({})).toBe(200);
    expect(await post({ host: 'evil.example' })).toBe(403);
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ authorization: '' })).toBe(401);
  });

  it('is not a way round the role of a token', async () => {
    const body = { reason: REASON };
    const answer = await api.post(`/api/v1/tasks/${await api.create()}/cancel`, body, { authorization: `Bearer ${TOKENS.reader}` });
    expect(answer).toMatchObject({ status: 403, body: { code: 'READ_ONLY' } });
  });
});
