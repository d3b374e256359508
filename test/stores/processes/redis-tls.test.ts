/**
 * Tests a Redis that asks its clients for certificates, as the user of docs/redis.md, who has only the permissions named there. With
 * `npm test -- --redis-tls` all other tests of data in Redis run there.
 */
import { connectRedisStore } from '@longhaul/store-redis';
import { CallToolResultSchema, CreateTaskResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../../support/deployment.js';
import { SecureRedis } from '../../support/secure-redis.js';
import { documentedUsers, tlsUrl } from '../../support/tls-redis.js';

let secure: SecureRedis;

beforeAll(async () => {
  secure = await SecureRedis.start();
});
afterAll(() => secure.close());

describe('a deployment on a Redis with TLS and its user', () => {
  it('runs a task that asks its user to its report', async () => {
    const deployment = Deployment.create({ LONGHAUL_RESEARCH_STAGE_MS: '50' }, secure.location);
    const [gateway] = await Promise.all([deployment.gateway(), deployment.worker()]);
    const answer = { action: 'accept', content: { interpretation: 'snake' } } as const;
    const client = await deployment.client(gateway.url, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, () => answer),
    );
    const params = { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true }, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(JSON.stringify(result.content)).toContain('(snake)');
    expect(await client.experimental.tasks.listTasks()).toMatchObject({ tasks: [{ taskId: task.taskId, status: 'completed' }] });
    await deployment.close();
  });

  it('was refused nothing', async () => {
    expect(await secure.refusals()).toEqual([]);
  });
});

describe('a Redis with TLS', () => {
  const start = (url: string): Promise<unknown> => connectRedisStore({ url, cluster: false, role: 'gateway', onError: () => undefined });

  it('is not taken without its authority, and takes nobody without a certificate', async () => {
    const { path } = secure.folder;
    const shown = `Redis at rediss://127.0.0.1:${secure.port} does not answer: `;
    const [plain = ''] = secure.location.url.split('?');
    await expect(start(plain)).rejects.toThrow(new RegExp(`^${shown}.*\\(name an authority of your own: \\?ca=PATH`));
    await expect(start(tlsUrl(path, secure.port, 'longhaul', false))).rejects.toThrow(shown);
    await expect(start(secure.location.url.replace('longhaul:', 'nobody:'))).rejects.toThrow(/refuses the connection: WRONGPASS/);
  });

  it('lets its user see no keys of others, and nothing of the server', async () => {
    const { url, adminUrl = '' } = secure.location;
    const [mine, admin] = [url, adminUrl].map(
      (address) => new Redis(address.split('?')[0] ?? '', { tls: secure.material, lazyConnect: true }),
    );
    await Promise.all([mine?.connect(), admin?.connect()]);
    await admin?.set('of-others', 'secret');
    const refused = [
      'GET of-others',
      'SET lh 1',
      'PUBLISH of-others 1',
      'CONFIG GET *',
      'KEYS *',
      'FLUSHALL',
      'ACL LIST',
      'CLIENT KILL ID 1',
    ];
    for (const line of refused) {
      const [command = '', ...args] = line.split(' ');
      await expect(mine?.call(command, ...args), line).rejects.toThrow(/NOPERM/);
    }
    const unnamed = new Redis(secure.server.url, { lazyConnect: true, retryStrategy: () => null });
    unnamed.on('error', () => undefined);
    await expect(unnamed.connect().then(() => unnamed.get('of-others'))).rejects.toThrow(/NOAUTH|Connection is closed/);
    for (const redis of [mine, admin, unnamed]) redis?.disconnect();
  });

  it('has the users that the document names', () => {
    const [, longhaul = [], fallback] = documentedUsers();
    expect(longhaul.slice(0, 3)).toEqual(['longhaul', 'on', '>a-long-random-password']);
    expect(longhaul.filter((rule) => /^\+@|^allkeys|^~\*$|^&\*$/.test(rule))).toEqual([]);
    expect(fallback).toEqual(['default', 'off']);
  });
});
