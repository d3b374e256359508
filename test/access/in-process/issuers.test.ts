/** Tests tokens of an authorization server: two gateways and a worker, on one Redis. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { connect } from '@longhaul/client';
import { features as everything } from '@longhaul/everything';
import { readConfig } from '@longhaul/gateway';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, client2025, client2026, initialize, send } from '../support/requests.js';
import { PUBLIC_URL, TestIssuer } from '../support/test-issuer.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { waitUntil } from '../../support/wait-until.js';

const registry = createFeatureRegistry(everything);

let issuer: TestIssuer;
let gateways: TestGateways;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  const { issuers, publicUrl, scopes } = readConfig({
    LONGHAUL_ISSUERS: JSON.stringify([issuer.setting()]),
    LONGHAUL_PUBLIC_URL: PUBLIC_URL,
    LONGHAUL_SCOPES: '{"required":["mcp"]}',
  });
  if (issuers === undefined || publicUrl === undefined || scopes === undefined) throw new Error('The settings are not read.');
  gateways = await startGateways({ issuers, publicUrl, scopes }, { features: registry });
});
afterAll(async () => {
  await gateways.close();
  await issuer.close();
});

const tokenOf = (sub: string, more: object = {}): Promise<string> => issuer.token({ claims: { sub, scope: 'mcp', ...more } });
const research = { name: 'simulate-research-query', arguments: { topic: 'tides' } };

describe('gateways with an issuer', () => {
  it('let nobody in without a token, and say where to get one', async () => {
    const { status, challenge } = await send(gateways.first.url, initialize);
    expect(status).toBe(401);
    expect(challenge).toContain('resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"');
  });

  it('give a task to its subject at every gateway and in both protocol versions, and to nobody else', async () => {
    const created = await client2026(gateways.first.url, await tokenOf('ada')).call('tools/call', research);
    const taskId = String(created.result?.['taskId']);
    const session = await client2025(gateways.first.url, await tokenOf('ada'));
    const elsewhere = { ...bearer(await tokenOf('ada')), ...session.headersFor('tasks/get') };
    const get = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId } };
    expect((await send(gateways.second.url, get, elsewhere)).result).toMatchObject({ taskId });
    expect((await send(gateways.second.url, get, { ...elsewhere, ...bearer(await tokenOf('eve')) })).status).toBe(404);
    expect((await client2026(gateways.second.url, await tokenOf('eve')).call('tasks/get', { taskId })).error).toMatchObject({
      code: -32602,
    });
    await waitUntil(
      async () =>
        (await client2026(gateways.second.url, await tokenOf('ada')).call('tasks/get', { taskId })).result?.['status'] === 'completed',
      { description: 'the task has ended' },
    );
  });

  it.each(['2025-11-25', '2026-07-28'] as const)(
    'see a task of our client in %s to its end, though its tokens last a second',
    async (generation) => {
      let tokens = 0;
      const fresh = (): Promise<string> => {
        tokens += 1;
        return tokenOf('ada', { exp: Math.floor(Date.now() / 1_000) + 1 });
      };
      let token = await fresh();
      const authProvider = {
        token: () => Promise.resolve(token),
        onUnauthorized: async () => {
          token = await fresh();
        },
      };
      const client = await connect(gateways.first.url, { generation, transport: { authProvider } });
      const result = await client.callTool(research.name, research.arguments);
      expect(JSON.stringify(result)).toContain('tides');
      expect(tokens).toBeGreaterThan(1);
      await client.close();
    },
  );

  it('go on with the keys that they know while the issuer is away', async () => {
    issuer.isDown = true;
    try {
      expect((await client2026(gateways.first.url, await tokenOf('ada')).call('tools/list')).status).toBe(200);
    } finally {
      issuer.isDown = false;
    }
  });

  it('let nobody in whom nobody can vouch for', async () => {
    issuer.isDown = true;
    try {
      const third = await gateways.another(registry);
      expect(await client2026(third.url, await tokenOf('ada')).call('tools/list')).toMatchObject({ status: 503, challenge: null });
      issuer.isDown = false;
      await waitUntil(async () => (await client2026(third.url, await tokenOf('ada')).call('tools/list')).status === 200, {
        description: 'the issuer is asked again',
      });
    } finally {
      issuer.isDown = false;
    }
  });

  it('do not start with settings that nobody can mean, and say so in one line', async () => {
    const child = fork(new URL('../../../apps/gateway/dist/main.js', import.meta.url).pathname, {
      env: { PATH: process.env['PATH'], LONGHAUL_ISSUERS: '[{"issuer":"http://login.example.com"}]', LONGHAUL_PUBLIC_URL: PUBLIC_URL },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const [[code], said] = await Promise.all([once(child, 'exit'), child.stderr === null ? '' : text(child.stderr)]);
    expect(code).not.toBe(0);
    expect(said.trim().split('\n')).toEqual([
      'LONGHAUL_ISSUERS: 0.issuer: must be an https: URL, or an http: one of this machine, without a user',
    ]);
  });
});
