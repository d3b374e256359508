/** Tests callers that an operator revokes: every gateway refuses them within seconds, their streams end, and their data is withheld. */
import { openGateway, readConfig } from '@longhaul/gateway';
import { type RevokedPrincipal } from '@longhaul/sessions';
import { openMemoryStore, openSqliteStore } from '@longhaul/store-sqlite';
import { openWorker, readConfig as readWorkerConfig } from '@longhaul/worker';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { operated } from '../../operator/support/operated.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { guardedFeatures } from '../support/guarded-features.js';
import { bearer, client2025, client2026, send } from '../support/requests.js';
import { accessSettings, TestIssuer } from '../support/test-issuer.js';

/** How long a revoked caller may be let in, and its streams may be open, milliseconds. */
const REASON = 'left the company';
const STATIC = 'a-static-token-of-bob-01';

const storeNames = ['memory', 'SQLite'] as const;

async function openStores(name: (typeof storeNames)[number]) {
  const onError = (): void => undefined;
  if (name === 'memory') {
    const store = openMemoryStore({ onError });
    return { stores: [store, store], close: () => store.close() };
  }
  // A process each: they share the file alone.
  const folder = new TestFolder();
  const stores = await Promise.all([0, 1].map(() => openSqliteStore({ path: folder.dataFile, onError })));
  return {
    stores,
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      folder.remove();
    },
  };
}

async function deploy(name: (typeof storeNames)[number]) {
  const issuer = await TestIssuer.start();
  const opened = await openStores(name);
  const access = accessSettings(readConfig, [issuer.setting({ claims: { tenant: 'org' } })], { LONGHAUL_TOKENS: `bob:${STATIC}` });
  const logger = pino({ level: 'silent' });
  const gateways = await Promise.all(
    opened.stores.map(async (store) => {
      const config = { ...readConfig({}), secret: 'a secret of the tests', port: 0, drainMs: 0, ...access };
      const gateway = await openGateway({ store, config, features: guardedFeatures, logger });
      return { gateway, url: await gateway.listen() };
    }),
  );
  const [store] = opened.stores;
  if (store === undefined) throw new Error('There is no store.');
  const worker = await openWorker({
    store,
    config: { ...readWorkerConfig({}), version: 'test', drainMs: 0 },
    features: guardedFeatures,
    logger,
  });
  const api = await operated(store);
  return {
    issuer,
    api,
    urls: gateways.map(({ url }) => url),
    async close() {
      await api.operator.close();
      await Promise.all(gateways.map(({ gateway }) => gateway.close()));
      await worker.stop();
      await opened.close();
      await issuer.close();
    },
  };
}

describe.each(storeNames)('a caller who is revoked, with %s', (name) => {
  const started = forAllTests(
    () => deploy(name),
    (deployed) => deployed.close(),
  );
  const url = (at: number): string => started.urls[at] ?? '';
  const token = (sub: string, claims: object = {}): Promise<string> =>
    started.issuer.token({ claims: { sub, org: 'acme', scope: 'f:durable', ...claims } });
  const principal = (subject: string): RevokedPrincipal => ({ issuer: started.issuer.url, subject });
  const revoke = (who: RevokedPrincipal, more: object = {}) =>
    started.api.post('/api/v1/principals/revoke', { principal: who, reason: REASON, ...more });
  const restore = (who: RevokedPrincipal) => started.api.post('/api/v1/principals/restore', { principal: who, reason: REASON });
  const createTask = async (as: string, ms = 60_000): Promise<string> => {
    const { result } = await client2026(url(0), as).call('tools/call', { name: 'durable', arguments: { ms } });
    return String(result?.['taskId']);
  };

  it('is refused at all gateways, loses open streams, and its tasks are cancelled', async () => {
    const as = await token('ada');
    const taskId = await createTask(as);
    const session = await client2025(url(1), as);
    const stream = await fetch(url(1), { headers: { accept: 'text/event-stream', ...bearer(as), ...session.headersFor('ping') } });
    const listening = client2026(url(0), as).call('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const answer = await revoke(principal('ada'));
    expect(answer).toMatchObject({ status: 200, body: { cancelledTasks: 1, revocation: { by: 'ada', reason: REASON } } });
    await Promise.all([stream.text(), listening]);
    for (const at of [0, 1]) {
      const refused = await client2026(url(at), as).call('tasks/get', { taskId });
      expect(refused).toMatchObject({ status: 401, challenge: expect.stringContaining('revoked') as string });
    }
    expect((await started.api.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({ status: 'cancelled' });
    const { body } = await started.api.post('/api/v1/principals/holdings', { principal: principal('ada') });
    expect(body).toMatchObject({
      tasks: { cancelled: 1, working: 0 },
      openSessions: 1,
      sessions: [{ openedAt: expect.any(String) as string, expiresAt: expect.any(String) as string }],
      revocations: [{ reason: REASON }],
    });
    expect(JSON.stringify(body)).not.toContain(session.headersFor('ping')['mcp-session-id']);
    expect((await started.api.get('/api/v1/audit?limit=2')).body).toMatchObject({
      entries: [
        { action: 'principal.cancel-tasks', outcome: 'done', details: { cancelledTasks: 1, failedTasks: 0 } },
        { action: 'principal.revoke', outcome: 'done', reason: REASON },
      ],
    });
  });

  it('is no other caller, and is let in again when that is said', async () => {
    const other = await token('ada', { org: 'other' });
    const eve = await token('eve');
    await revoke({ issuer: started.issuer.url, subject: 'eve', tenant: 'acme' });
    expect((await client2026(url(0), eve).call('tools/list')).status).toBe(401);
    expect((await client2026(url(0), await token('eve', { org: 'other' })).call('tools/list')).status).toBe(200);
    expect((await client2026(url(0), await token('mia')).call('tools/list')).status).toBe(200);
    expect((await restore({ issuer: started.issuer.url, subject: 'eve', tenant: 'acme' })).status).toBe(204);
    await waitUntil(async () => (await client2026(url(1), eve).call('tools/list')).status === 200, { description: 'let in again' });
    expect((await restore({ issuer: started.issuer.url, subject: 'eve', tenant: 'acme' })).status).toBe(404);
    // The first test has revoked all of that name.
    expect((await client2026(url(0), other).call('tools/list')).status).toBe(401);
  });

  it('has only its newer tokens, if that is said, and what there was before is not there for them', async () => {
    const old = await token('kim', { iat: Math.floor(Date.now() / 1_000) - 100 });
    const taskId = await createTask(old, 0);
    await waitUntil(async () => (await client2026(url(0), old).call('tasks/get', { taskId })).result?.['status'] === 'completed', {
      description: 'its result',
    });
    const session = await client2025(url(0), old);
    const issuedBefore = new Date(Date.now() - 50_000).toISOString();
    expect(await revoke(principal('kim'), { issuedBefore })).toMatchObject({ status: 200, body: { cancelledTasks: 0 } });
    expect((await client2026(url(0), old).call('tools/list')).status).toBe(401);
    const fresh = await token('kim');
    for (const method of ['tasks/get', 'tasks/cancel'])
      expect((await client2026(url(1), fresh).call(method, { taskId })).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('not found') as string,
      });
    expect((await session.call('tools/list', {}, fresh)).status).toBe(404);
    const again = await client2025(url(1), fresh);
    expect((await again.call('tasks/result', { taskId })).error).toMatchObject({ code: -32602 });
    expect((await again.call('tasks/list')).result).toEqual({ tasks: [] });
    const newer = await createTask(fresh, 0);
    expect((await client2026(url(0), fresh).call('tasks/get', { taskId: newer })).result).toMatchObject({ taskId: newer });
  });

  it('may be the holder of a static token, or everybody of a tenant', async () => {
    expect((await client2026(url(0), STATIC).call('tools/list')).status).toBe(200);
    expect(await revoke({ name: 'bob' }, { issuedBefore: new Date().toISOString() })).toMatchObject({ status: 400 });
    await revoke({ name: 'bob' });
    expect((await client2026(url(1), STATIC).call('tools/list')).status).toBe(401);
    const taskId = await createTask(await token('lea', { org: 'gone' }));
    expect(await revoke({ issuer: started.issuer.url, tenant: 'gone' })).toMatchObject({ body: { cancelledTasks: 1 } });
    const { status } = await send(url(0), {}, bearer(await token('max', { org: 'gone' })));
    expect(status).toBe(401);
    expect((await started.api.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({ status: 'cancelled' });
    expect((await started.api.get('/api/v1/principals/revoked')).body['revocations']).toHaveLength(4);
  });
});
