/** Tests that chains of the audit log stay complete when their writers and their store are killed. */
import { AUDIT_CHAINS, auditRecords, verifyChain } from '@longhaul/tasks';
import { connectRedisStore } from '@longhaul/store-redis';
import { expect, it } from 'vitest';
import { client2026 } from '../../access/support/requests.js';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { Deployment } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const KILLS = 4;

it('finds no fault after kills of gateways and of Redis, and has what was recorded before', async () => {
  const redis = await ChaosRedis.start('everysec');
  const deployment = Deployment.create({ LONGHAUL_AUDIT: 'all' }, { url: redis.url, cluster: false });
  const tasks = await connectRedisStore({
    url: redis.url,
    prefix: deployment.redis.prefix,
    role: 'worker',
    onError: () => undefined,
  });
  const count = async (): Promise<number> => {
    let found = 0;
    for await (const { action } of auditRecords(tasks.audit, {})) if (action === 'result.read') found += 1;
    return found;
  };
  /** Asks for tasks that are not there, which is recorded each time, until the gateway is gone. */
  const keepAsking = async (url: string): Promise<never> => {
    for (;;) await client2026(url, 'none').call('tasks/get', { taskId: crypto.randomUUID() });
  };
  try {
    for (let kills = 0; kills < KILLS; kills++) {
      const before = await count();
      const gateways = await Promise.all([deployment.gateway(), deployment.gateway()]);
      const asking = Promise.allSettled(gateways.map(({ url }) => keepAsking(url)));
      await waitUntil(async () => (await count()) > before + 20, { description: 'records of callers' });
      if (kills % 2 === 1) {
        await redis.kill();
        await redis.up();
        await waitUntil(async () => (await count()) >= 0, { description: 'Redis again' });
      }
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await asking;
      for (const chain of AUDIT_CHAINS) expect(await verifyChain(tasks.audit, chain, { keep: 10_000 })).toMatchObject({ faultCount: 0 });
    }
  } finally {
    await deployment.close();
    await tasks.close();
    await redis.close();
  }
});
