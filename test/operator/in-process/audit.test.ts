/** Tests the audit log in the operator API: it shows changes by an attacker in the store, and is exported completely. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { type AuditEntry, type AuditLog, AuditWriter } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../support/for-all-tests.js';
import { operated, TOKENS } from '../support/operated.js';

const REASON = { reason: 'for the test' };

const started = forAllTests(
  async () => {
    const memory = openMemoryStore({ onError: () => undefined });
    const audit: { -readonly [Name in keyof AuditLog]: AuditLog[Name] } = {
      append: (...given) => memory.audit.append(...given),
      state: (...given) => memory.audit.state(...given),
      after: (...given) => memory.audit.after(...given),
      before: (...given) => memory.audit.before(...given),
    };
    const store = { ...memory, audit };
    return { audit, memory, api: await operated(store) };
  },
  async ({ api, memory }) => {
    await api.operator.close();
    await memory.close();
  },
);

interface Verified {
  readonly isWhole: boolean;
  readonly chains: readonly {
    readonly chain: string;
    readonly head: { readonly number: number; readonly hash: string };
    readonly faults: object[];
  }[];
}

const verify = async (anchors: object[] = []): Promise<Verified> =>
  (await started.api.post('/api/v1/audit/verify', { anchors })).body as unknown as Verified;

const lines = async (query: string): Promise<readonly Record<string, unknown>[]> => {
  const { payload } = await started.api.operator.app.inject({
    url: `/api/v1/audit/export?${query}`,
    headers: { host: 'localhost', authorization: `Bearer ${TOKENS.ada}` },
  });
  return payload
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('the audit log', () => {
  it('is whole, and shows by its hashes what was changed, and by an anchor what was cut off', async () => {
    const { api, audit, memory } = started;
    const taskId = await api.create('charge');
    await api.post(`/api/v1/tasks/${taskId}/cancel`, REASON);
    await api.post(`/api/v1/tasks/${taskId}/cancel`, REASON);
    await api.post('/api/v1/queue/pause', { ...REASON, tool: 'charge' });
    const before = await verify();
    expect(before.isWhole).toBe(true);
    const head = before.chains.find(({ chain }) => chain === 'operators')?.head;
    expect(head).toMatchObject({ number: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string });

    audit.after = async (...given) =>
      (await memory.audit.after(...given)).map((record) =>
        record.number === 2 ? { ...record, text: record.text.replace('TASK_ENDED', 'done') } : record,
      );
    expect(await verify()).toMatchObject({ isWhole: false, chains: [{ faults: [{ kind: 'changed', number: 2 }] }, {}, {}, {}, {}] });
    audit.after = (...given) => memory.audit.after(...given);

    expect((await verify([{ chain: 'operators', number: 9, hash: 'kept' }])).chains[0]?.faults).toEqual([
      { kind: 'truncated', number: 4, to: 9 },
    ]);
    expect((await verify([{ chain: 'operators', ...head }])).isWhole).toBe(true);
  });

  it('is exported as it is, and as events of OCSF with all that their class requires', async () => {
    const writer = new AuditWriter({ log: started.memory.audit, chain: 'callers-1', keep: 100, onError: () => undefined });
    const caller: AuditEntry['caller'] = {
      owner: 'user:7:issuer:3:ada',
      tenant: 'acme',
      issuer: 'https://login.example.com',
      subject: 'ada',
      client: 'app',
      address: '192.0.2.1',
    };
    const taskId = '3f1c9a52-6f0e-4f7c-9d3b-0f6a2f1f8b11';
    writer.record({
      at: 5,
      who: 'ada',
      action: 'result.read',
      target: taskId,
      taskId,
      reason: '',
      outcome: 'done',
      caller,
      method: 'tasks/result',
      tool: 'charge',
      correlation: 'trace',
    });
    writer.record({ at: 9, who: 'ada', action: 'request.refuse', target: 'charge', reason: 'Forbidden', outcome: 'HTTP_403', caller });
    await writer.flush();
    const [read, refused, ...rest] = await lines('by=callers');
    expect(rest).toEqual([]);
    expect(read).toMatchObject({ chain: 'callers-1', number: 1, caller, taskId, method: 'tasks/result', at: '1970-01-01T00:00:00.005Z' });
    expect(refused).toMatchObject({ outcome: 'HTTP_403' });
    expect(await lines('by=callers&from=1970-01-01T00:00:00.006Z')).toHaveLength(1);

    const [event, denied] = await lines('by=callers&format=ocsf');
    expect(event).toMatchObject({
      class_uid: 6003,
      category_uid: 6,
      activity_id: 2,
      type_uid: 600_302,
      severity_id: 1,
      time: 5,
      status_id: 1,
      metadata: { version: '1.3.0', product: { name: 'Longhaul' }, tenant_uid: 'acme', correlation_uid: 'trace', sequence: 1 },
      actor: { user: { uid: caller.owner, name: 'ada' }, app_uid: 'app', idp: { name: caller.issuer } },
      api: { operation: 'tasks/result' },
      src_endpoint: { ip: '192.0.2.1' },
      resources: [{ uid: taskId, name: 'charge', type: 'task' }],
    });
    expect(denied).toMatchObject({
      status_id: 2,
      status_code: 'HTTP_403',
      status_detail: 'Forbidden',
      activity_id: 99,
      activity_name: 'request.refuse',
    });
    expect((await lines('by=operators&format=ocsf'))[0]).toMatchObject({
      src_endpoint: { name: 'operator' },
      actor: { user: { name: 'ada' } },
    });
  });

  it('has what operators did by itself', async () => {
    const { body } = await started.api.get('/api/v1/audit?by=operators&limit=1');
    expect(body).toMatchObject({ entries: [{ chain: 'operators', action: 'queue.pause' }], next: expect.any(String) as string });
  });
});
