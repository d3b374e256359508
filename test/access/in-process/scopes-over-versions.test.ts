/**
 * Tests that the features that answer a request decide what it may reach: features of its protocol version, and of the code that made its
 * task.
 */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { openGateway, readConfig } from '@longhaul/gateway';
import { createFeatureRegistry, defineResourceTemplate, defineTool, type FeatureRegistry } from '@longhaul/mcp-features';
import { openWorker, readConfig as readWorkerConfig } from '@longhaul/worker';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forAllTests } from '../../support/for-all-tests.js';
import { waitUntil } from '../../support/wait-until.js';
import { protectedForTests } from '../support/protected-service.js';
import { client2025, client2026 } from '../support/requests.js';
import { accessSettings, TestIssuer } from '../support/test-issuer.js';

const template = (uriTemplate: string, more: object) =>
  defineResourceTemplate({ uriTemplate, name: uriTemplate, read: () => uriTemplate, ...more });

describe('templates of which one protocol version has the first, and another the second', () => {
  const features = createFeatureRegistry([
    template('doc://{id}', { needsSession: true }),
    template('doc://{name}', { scopes: ['doc:read'] }),
  ]);
  const started = protectedForTests({ features });
  const stateless = protectedForTests({ features, settings: { isStateless: true } });

  it('ask for the scopes of the one that answers', async () => {
    const [none, all] = await Promise.all([started.issuer.token(), started.issuer.token({ claims: { scope: 'doc:read' } })]);
    const read = ['resources/read', { uri: 'doc://plan' }] as const;
    expect((await (await client2025(started.url, none)).call(...read)).result).toMatchObject({ contents: [{ text: 'doc://{id}' }] });
    const refused = await client2026(started.url, none).call(...read);
    expect(refused).toMatchObject({ status: 403, challenge: expect.stringContaining('scope="doc:read"') as string });
    expect((await client2026(started.url, all).call(...read)).result).toMatchObject({ contents: [{ text: 'doc://{name}' }] });
  });

  it('ask for them also in an endpoint without sessions', async () => {
    const none = await stateless.issuer.token();
    const { status } = await fetch(stateless.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${none}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'doc://plan' } }),
    });
    expect(status).toBe(403);
  });
});

describe('a task of a tool that asked for a scope when it was called', () => {
  const tool = (scopes: readonly string[]) =>
    defineTool({ name: 'pay', description: 'Pays', input: z.object({}), task: 'optional', scopes, run: async () => 'paid' });
  const versions: readonly FeatureRegistry[] = [
    createFeatureRegistry([tool(['pay:old'])]),
    createFeatureRegistry([tool([])]),
    createFeatureRegistry([tool(['pay:new'])]),
    createFeatureRegistry([defineTool({ name: 'other', description: 'Is all there is', input: z.object({}), run: () => '' })]),
  ];
  const deployed = forAllTests(
    async () => {
      const issuer = await TestIssuer.start();
      const store = openMemoryStore({ onError: () => undefined });
      const config = {
        ...readConfig({}),
        secret: 'a secret of the tests',
        port: 0,
        drainMs: 0,
        ...accessSettings(readConfig, [issuer.setting()]),
      };
      const logger = pino({ level: 'silent' });
      const gateways = await Promise.all(
        versions.map(async (features) => {
          const gateway = await openGateway({ store, config, features, logger });
          return { gateway, url: await gateway.listen() };
        }),
      );
      const [first = versions[0]] = versions;
      if (first === undefined) throw new Error('There is no version.');
      const worker = await openWorker({
        store,
        config: { ...readWorkerConfig({}), version: 'test', drainMs: 0 },
        features: first,
        logger,
      });
      return { issuer, store, gateways, worker };
    },
    async ({ issuer, store, gateways, worker }) => {
      await Promise.all(gateways.map(({ gateway }) => gateway.close()));
      await worker.stop();
      await store.close();
      await issuer.close();
    },
  );

  it('asks for it at every gateway, also where its code asks for less, and for what that asks as well', async () => {
    const { issuer, gateways } = deployed;
    const token = (scope: string): Promise<string> => issuer.token({ claims: { scope } });
    const [none, old, both] = await Promise.all([token(''), token('pay:old'), token('pay:old pay:new')]);
    const url = gateways[0]?.url ?? '';
    const { result } = await client2026(url, old).call('tools/call', { name: 'pay', arguments: {} });
    const taskId = String(result?.['taskId']);
    await waitUntil(async () => (await client2026(url, old).call('tasks/get', { taskId })).result?.['status'] === 'completed', {
      description: 'the result',
    });
    const statusesOf = async (method: string, as: string): Promise<readonly number[]> =>
      Promise.all(gateways.map(async (gateway) => (await client2026(gateway.url, as).call(method, { taskId })).status));
    for (const method of ['tasks/get', 'tasks/cancel']) {
      expect(await statusesOf(method, none)).toEqual([403, 403, 403, 403]);
      expect(await statusesOf(method, old)).toEqual([200, 200, 403, 200]);
      expect(await statusesOf(method, both)).toEqual([200, 200, 200, 200]);
    }
    const session = await client2025(gateways[3]?.url ?? '', none);
    expect((await session.call('tasks/result', { taskId })).status).toBe(403);
    expect((await session.call('tasks/list')).result).toEqual({ tasks: [] });
    expect((await session.call('tasks/result', { taskId }, old)).result).toMatchObject({ content: [{ text: 'paid' }] });
  });
});
