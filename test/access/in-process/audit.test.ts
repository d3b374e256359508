/** Tests the audit log of callers: each creation, read of a result, answer, cancellation and refusal, in complete chains. */
import { AUDIT_CHAINS, type AuditRecord, auditRecords, verifyChain } from '@longhaul/tasks';
import { expect, describe, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { guardedFeatures } from '../support/guarded-features.js';
import { protectedForTests } from '../support/protected-service.js';
import { bearer, client2025, client2026, send, type TokenClient } from '../support/requests.js';

const SCOPES = 'f:durable f:asking f:inline';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const started = protectedForTests({
  features: guardedFeatures,
  issuer: { claims: { tenant: 'org' } },
  settings: { auditsCallers: true },
});

const token = (sub: string, scope = SCOPES): Promise<string> => started.issuer.token({ claims: { sub, scope, org: 'acme' } });

async function recordsOf(subject: string): Promise<readonly AuditRecord[]> {
  const found: AuditRecord[] = [];
  for await (const record of auditRecords(started.service.store.audit, {}))
    if (record.caller?.subject === subject || record.who === subject) found.push(record);
  return found;
}

/** Waits until the caller has a record that fits. */
function recorded(subject: string, fields: object): Promise<AuditRecord> {
  return waitUntil(
    async () =>
      (await recordsOf(subject)).find((record) =>
        Object.entries(fields).every(([name, value]) => record[name as keyof AuditRecord] === value),
      ),
    { description: `a record ${JSON.stringify(fields)} of ${subject}` },
  );
}

const clients: readonly (readonly [string, (subject: string) => Promise<TokenClient>])[] = [
  ['2025-11-25', async (subject) => client2025(started.url, await token(subject))],
  ['2026-07-28', async (subject) => client2026(started.url, await token(subject))],
];

describe.each(clients)('of a caller of %s, the audit log', (version, open) => {
  const createTask = async (client: TokenClient, ms = 0): Promise<string> => {
    const { result } = await client.call('tools/call', {
      name: 'durable',
      arguments: { ms },
      ...(version === '2025-11-25' && { task: {} }),
    });
    const id = (result?.['task'] as { taskId?: string } | undefined)?.taskId ?? result?.['taskId'];
    if (typeof id !== 'string') throw new Error(`There is no task: ${JSON.stringify(result)}`);
    return id;
  };

  it('has who created a task, and who read its result', async () => {
    const subject = `creator-${version}`;
    const client = await open(subject);
    const taskId = await createTask(client);
    const created = await recorded(subject, { action: 'task.create', taskId });
    expect(created).toMatchObject({ outcome: 'done', tool: 'durable', method: 'tools/call', who: subject });
    expect(created.caller).toMatchObject({ tenant: 'acme', issuer: started.issuer.url, subject, client: 'app' });
    expect(created.caller?.address).toMatch(/127\.0\.0\.1/);
    const reading = version === '2025-11-25' ? 'tasks/result' : 'tasks/get';
    await waitUntil(async () => (await client.call(reading, { taskId })).result?.['status'] !== 'working', { description: 'a result' });
    expect(await recorded(subject, { action: 'result.read', taskId, outcome: 'done' })).toMatchObject({ tool: 'durable', method: reading });
  });

  it('has who cancelled one, and who asked for one that is not there for them', async () => {
    const subject = `canceller-${version}`;
    const client = await open(subject);
    const taskId = await createTask(client, 60_000);
    await client.call('tasks/cancel', { taskId });
    expect(await recorded(subject, { action: 'task.cancel', taskId, outcome: 'done' })).toMatchObject({ tool: 'durable' });
    const stranger = await open(`stranger-${version}`);
    await stranger.call('tasks/get', { taskId });
    await stranger.call('tasks/get', { taskId: NOWHERE });
    const [foreign, unknown] = await Promise.all(
      [taskId, NOWHERE].map((id) => recorded(`stranger-${version}`, { taskId: id, outcome: 'TASK_NOT_FOUND' })),
    );
    expect(foreign).toMatchObject({ method: 'tasks/get' });
    expect(unknown).toMatchObject({ method: 'tasks/get' });
  });

  it('has a scope that was missing, and that the caller came back with it', async () => {
    const subject = `climber-${version}`;
    const client = await open(subject);
    const small = await token(subject, 'f:inline');
    const large = await token(subject, `${SCOPES} f:two`);
    expect((await client.call('tools/call', { name: 'two', arguments: {} }, small)).status).toBe(403);
    expect(await recorded(subject, { action: 'request.refuse', outcome: 'HTTP_403' })).toMatchObject({ tool: 'two', method: 'tools/call' });
    await client.call('tools/call', { name: 'two', arguments: {} }, large);
    expect((await recorded(subject, { action: 'token.elevate' })).details).toMatchObject({
      added: expect.arrayContaining(['f:two']) as unknown,
    });
  });
});

describe('the audit log', () => {
  it('has who was not let in, with the trace of the request, and nothing of the token', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const bad = await started.issuer.token({ claims: { sub: 'mallory', aud: 'elsewhere' } });
    const { status } = await send(started.url, {}, { ...bearer(bad), traceparent });
    expect(status).toBe(401);
    const record = await recorded('nobody', { correlation: traceparent });
    expect(record).toMatchObject({ action: 'request.refuse', outcome: 'HTTP_401' });
    expect(JSON.stringify(record)).not.toContain(bad.slice(0, 20));
  });

  it('has which keys the gateway works with', async () => {
    expect(await recorded('nobody', { action: 'key.load' })).toMatchObject({ details: { oldKeys: 0 } });
  });

  it('does not grow with a flood of strangers, and counts them', async () => {
    await Promise.all(Array.from({ length: 60 }, () => send(started.url, {}, { 'x-request-id': 'flood' })));
    const flood = async (): Promise<number> => (await recordsOf('nobody')).filter(({ correlation }) => correlation === 'flood').length;
    await waitUntil(async () => (await flood()) > 0, { description: 'the first of the flood' });
    expect(await flood()).toBeLessThan(60);
    const later = await waitUntil(
      async () => {
        await send(started.url, {}, { 'x-request-id': 'after' });
        return (await recordsOf('nobody')).find(({ details }) => typeof details?.['leftOut'] === 'number');
      },
      { description: 'a record that counts the others' },
    );
    expect(later.details?.['leftOut']).toBeGreaterThan(0);
  });

  it('is whole', async () => {
    for (const chain of AUDIT_CHAINS)
      expect(await verifyChain(started.service.store.audit, chain, { keep: 10_000 })).toMatchObject({
        faultCount: 0,
        base: { number: 0 },
      });
  });
});
