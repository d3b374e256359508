/** Tests owners by tokens of issuers: tasks and sessions belong to a subject of an issuer, and features see the caller. */
import { expect, describe, it } from 'vitest';
import { readConfig } from '@longhaul/gateway';
import { waitUntil } from '../../support/wait-until.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { startService } from '../../support/gateway/gateway.js';
import { guardedFeatures } from '../support/guarded-features.js';
import { bearer, client2025, client2026, send, type TokenAnswer } from '../support/requests.js';
import { accessSettings, TestIssuer } from '../support/test-issuer.js';

const started = forAllTests(
  async () => {
    const [first, second] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
    const issuers = [
      first.setting({ claims: { pass: ['email'] } }),
      second.setting({ claims: { tenant: 'org', scopes: 'scp', subject: 'oid' } }),
    ];
    const env = { LONGHAUL_TOKENS: 'ada:token-of-ada-0001' };
    const service = await startService({ features: guardedFeatures, settings: accessSettings(readConfig, issuers, env) });
    const url = await service.listen();
    return { first, second, service, url, tokens: [] as string[] };
  },
  async ({ first, second, service }) => {
    await service.close();
    await Promise.all([first.close(), second.close()]);
  },
);

const tenantToken = (oid: string, org: string): Promise<string> => started.second.token({ claims: { oid, org, scp: ['a', 'b'] } });

/** Owners that a name alone does not distinguish. */
const OTHERS: Readonly<Record<string, () => Promise<string>>> = {
  'another subject': () => started.first.token({ claims: { sub: 'eve' } }),
  'the same subject of another issuer': () => tenantToken('ada', 'one'),
  'the holder of a static token of that name': () => Promise.resolve('token-of-ada-0001'),
  'a client of that name': () => started.first.token({ claims: { sub: undefined, client_id: 'ada' } as never }),
};

const textOf = ({ result }: TokenAnswer): string => (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';

async function task(token: string): Promise<string> {
  const { result } = await client2026(started.url, token).call('tools/call', { name: 'whoami-later', arguments: {} });
  return String(result?.['taskId']);
}

describe('a task', () => {
  it('is found by its owner with any token and in both protocol versions, for any client that got the token', async () => {
    const taskId = await task(await started.first.token());
    const later = await started.first.token({ claims: { client_id: 'another-app', scope: 'more' } });
    expect((await client2026(started.url, later).call('tasks/get', { taskId })).result).toMatchObject({ taskId });
    const session = await client2025(started.url, later);
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({ taskId });
  });

  it.each(Object.entries(OTHERS))('is not there for %s', async (_who, make) => {
    const taskId = await task(await started.first.token());
    const token = await make();
    const unknown = '00000000-0000-4000-8000-000000000000';
    const ask = async (id: string): Promise<unknown> => (await client2026(started.url, token).call('tasks/get', { taskId: id })).error;
    expect(await ask(taskId)).toMatchObject({ code: -32602 });
    expect(await ask(taskId)).toEqual(await ask(unknown));
    const session = await client2025(started.url, token);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect((await session.call(method, { taskId })).error).toMatchObject({ code: -32602 });
    expect((await session.call('tasks/list')).result?.['tasks']).not.toContainEqual(expect.objectContaining({ taskId }));
  });

  it('is not there for the same subject of another tenant', async () => {
    const taskId = await task(await tenantToken('ada', 'one'));
    const ask = async (org: string): Promise<unknown> =>
      (await client2026(started.url, await tenantToken('ada', org)).call('tasks/get', { taskId })).error?.code;
    expect([await ask('one'), await ask('two')]).toEqual([undefined, -32602]);
  });
});

describe('a session', () => {
  it.each(Object.entries(OTHERS))('is not there for %s', async (_who, make) => {
    const session = await client2025(started.url, await started.first.token());
    expect(await session.call('ping', {}, await make())).toMatchObject({ status: 404, error: { code: -32001 } });
    const headers = { accept: 'text/event-stream', ...bearer(await make()), ...session.headersFor('ping') };
    for (const method of ['GET', 'DELETE']) expect((await fetch(started.url, { method, headers })).status).toBe(404);
    expect((await session.call('ping')).status).toBe(200);
  });
});

describe('a feature', () => {
  it('learns who calls, and never the token', async () => {
    const token = await started.first.token({ claims: { scope: 'a b', email: 'ada@example.com', phone: 'not passed on' } });
    const expected = {
      subject: 'ada',
      issuer: started.first.url,
      client: 'app',
      scopes: ['a', 'b'],
      claims: { email: 'ada@example.com' },
    };
    const client = client2026(started.url, token);
    expect(JSON.parse(textOf(await client.call('tools/call', { name: 'whoami', arguments: {} })))).toEqual(expected);
    const taskId = await task(token);
    await waitUntil(async () => (await client.call('tasks/get', { taskId })).result?.['status'] === 'completed', {
      description: 'it ended',
    });
    const { result } = await client.call('tasks/get', { taskId });
    expect(JSON.parse(textOf({ result: result?.['result'] } as never))).toEqual(expected);
  });

  it('learns the tenant, and the claims by the names of the issuer', async () => {
    const client = client2026(started.url, await tenantToken('ada', 'one'));
    expect(JSON.parse(textOf(await client.call('tools/call', { name: 'whoami', arguments: {} })))).toEqual({
      subject: 'ada',
      issuer: started.second.url,
      tenant: 'one',
      client: 'app',
      scopes: ['a', 'b'],
    });
  });

  it('learns the name of the holder of a static token', async () => {
    const client = client2026(started.url, 'token-of-ada-0001');
    expect(JSON.parse(textOf(await client.call('tools/call', { name: 'whoami', arguments: {} })))).toEqual({ subject: 'ada' });
  });
});

describe('a tenant', () => {
  it('has to be named where there are tenants', async () => {
    const token = await started.second.token({ claims: { oid: 'ada', org: undefined } });
    const answer = await send(started.url, {}, bearer(token));
    expect(answer.status).toBe(401);
    expect(answer.challenge).toContain('the token has no claim org');
  });
});

describe('what is kept', () => {
  it('has no token in it', async () => {
    const token = await started.first.token();
    const taskId = await task(token);
    const history = JSON.stringify(await started.service.store.events.readPage(taskId as never, 0, 100));
    expect(history).toContain('"subject":"ada"');
    for (const part of token.split('.')) expect(history).not.toContain(part);
    expect(JSON.stringify(started.service.logs)).not.toContain(token);
  });
});
