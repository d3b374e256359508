/** Tests what operators see of proxied servers and do with them. */
import { ServerSwitches, SWITCH_LIMITS } from '@longhaul/proxy/operating';
import { createOwnerStore, OPERATORS_OWNER } from '@longhaul/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlite } from '../../stores/support/stores.js';
import { type Operated, operated, TOKENS } from '../support/operated.js';
import { reportServers } from '../support/server-reports.js';

const reason = 'the disk is full';
const FILES = '/api/v1/servers/files';

describe('the operator API has proxied servers', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  let switches: ServerSwitches;
  beforeEach(async () => {
    opened = await sqlite.open();
    switches = new ServerSwitches(opened.store);
    await reportServers(opened.store);
    api = await operated(opened.store);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  const problem = (status: number, code: string) => ({ status, body: { code } });

  it('that are listed and shown, each as the deployment and as each process knows it', async () => {
    const { servers } = (await api.get('/api/v1/servers')).body as { servers: unknown[] };
    expect(servers).toMatchObject([
      { name: 'a/b 🌙', state: 'idle', tools: 0, processes: [{ process: 'two', isKept: false }] },
      {
        name: 'files',
        state: 'away',
        lastError: 'exited with 4\n<b>no disk</b>',
        lastErrorAt: '1970-01-01T00:00:02.000Z',
        about: { name: 'files', version: '1.2' },
        calls: 6,
        errors: 2,
        tools: 2,
        toolsOff: [],
        processes: [
          { process: 'one', role: 'gateway', state: 'connected', calls: 3, since: '1970-01-01T00:00:01.000Z' },
          { process: 'two', role: 'gateway', state: 'away', calls: 3, triedAgainAt: '1970-01-01T00:00:03.000Z' },
        ],
      },
    ]);
    const { status, body } = await api.get(FILES);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        tools: [
          { name: 'read', as: 'files__read', task: 'optional', calls: 4 },
          { name: 'write', errors: 2 },
        ],
        toolsLeftOut: 0,
      },
    });
    expect((await api.get(`/api/v1/servers/${encodeURIComponent('a/b 🌙')}`)).status).toBe(200);
  });

  it('that are turned off and on with a reason, as a whole and by tool, for the audit log', async () => {
    expect(await api.post(`${FILES}/off`, { tool: 'write', reason })).toMatchObject({
      status: 200,
      body: { state: 'away', toolsOff: ['write'], tools: [{ name: 'read' }, { name: 'write', off: { by: 'operator:ada', reason } }] },
    });
    expect(await api.post(`${FILES}/off`, { reason })).toMatchObject({ body: { state: 'off', off: { by: 'operator:ada', reason } } });
    expect(await api.post(`${FILES}/restart`, { reason })).toMatchObject(problem(409, 'SERVER_IS_OFF'));
    const on = await api.post(`${FILES}/on`, { reason });
    expect(on.body).toMatchObject({ state: 'away', toolsOff: ['write'] });
    expect(on.body).not.toHaveProperty('off');
    expect((await api.post(`${FILES}/on`, { tool: 'write', reason })).body).toMatchObject({ toolsOff: [] });
    expect(await switches.all()).toEqual([]);
    expect((await api.post(`${FILES}/restart`, { reason })).status).toBe(200);
    expect(await switches.all()).toMatchObject([{ server: 'files', restart: { by: 'operator:ada', reason } }]);
    const { entries } = (await api.get('/api/v1/audit?limit=10')).body as { entries: object[] };
    expect(entries).toMatchObject([
      { action: 'server.restart', target: 'files', outcome: 'done', reason },
      { action: 'server.on', details: { tool: 'write' } },
      { action: 'server.on', target: 'files', outcome: 'done' },
      { action: 'server.restart', outcome: 'SERVER_IS_OFF' },
      { action: 'server.off', outcome: 'done' },
      { action: 'server.off', target: 'files', details: { tool: 'write' } },
    ]);
  });

  it('of which not more can be turned off than the limit, which is named', async () => {
    const collection = createOwnerStore(opened.store.ownerRecords).of({ id: OPERATORS_OWNER }).collection('server-switches');
    const off = { by: 'ada', reason, at: 1_000 };
    const others = Array.from({ length: SWITCH_LIMITS.servers }, (_, n) => ({
      id: `other ${n}`,
      value: { server: `other ${n}`, off, toolsOff: {} },
    }));
    await collection.update(() => ({ changes: others, result: undefined }));
    const refused = await api.post(`${FILES}/off`, { reason });
    expect(refused).toMatchObject(problem(409, 'TOO_MANY_SWITCHES'));
    expect(JSON.stringify(refused.body)).toContain('Something is said of 1000 servers at most');
    await collection.update(() => ({ changes: [{ id: 'other 0' }], result: undefined }));
    expect((await api.post(`${FILES}/off`, { reason })).status).toBe(200);
  });

  it('that are refused when there is no such server or tool, and to operators who may only read', async () => {
    for (const path of ['/api/v1/servers/nowhere', '/api/v1/servers/nowhere/off'])
      expect(await (path.endsWith('off') ? api.post(path, { reason }) : api.get(path))).toMatchObject(problem(404, 'SERVER_NOT_FOUND'));
    expect(await api.post(`${FILES}/off`, { tool: 'files__write', reason })).toMatchObject(problem(404, 'SERVER_TOOL_NOT_FOUND'));
    // Nobody has seen the tools of this one yet.
    expect((await api.post(`/api/v1/servers/${encodeURIComponent('a/b 🌙')}/off`, { tool: 'x', reason })).status).toBe(200);
    for (const body of [{}, { reason, tol: 'write' }, { reason, tool: '' }])
      expect(await api.post(`${FILES}/off`, body)).toMatchObject(problem(400, 'INVALID_REQUEST'));
    const reader = { authorization: `Bearer ${TOKENS.reader}` };
    for (const verb of ['restart', 'off', 'on']) expect((await api.post(`${FILES}/${verb}`, { reason }, reader)).status).toBe(403);
    expect((await api.get(FILES, reader)).status).toBe(200);
    expect(await switches.all()).toMatchObject([{ server: 'a/b 🌙' }]);
  });
});
