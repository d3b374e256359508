/** Tests that revocations hold, and can be made and lifted, when the key that encrypts everything else is lost. */
import { openGateway, readConfig } from '@longhaul/gateway';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { operated } from '../../operator/support/operated.js';
import { encryptionOf } from '../../support/encryption.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { guardedFeatures } from '../support/guarded-features.js';
import { client2026 } from '../support/requests.js';

const BOB = { principal: { name: 'bob' }, reason: 'left the company' };
const STATIC = 'a-static-token-of-bob-01';

let folder: TestFolder;
beforeEach(() => (folder = new TestFolder()));
afterEach(() => folder.remove());

const openStore = (key: string) =>
  openSqliteStore({ path: folder.dataFile, onError: () => undefined, encryption: encryptionOf(`the key ${key}, of no use elsewhere`) });

/** A gateway and the operator's port, with that key alone. */
async function deploy(key: string) {
  const store = await openStore(key);
  const config = { ...readConfig({ LONGHAUL_TOKENS: `bob:${STATIC}` }), secret: 'a secret of the tests', port: 0, drainMs: 0 };
  const gateway = await openGateway({ store, config, features: guardedFeatures, logger: pino({ level: 'silent' }) });
  const url = await gateway.listen();
  const api = await operated(store);
  return {
    api,
    statusOfBob: async (): Promise<number> => (await client2026(url, STATIC).call('tools/list')).status,
    async close(): Promise<void> {
      await api.operator.close();
      await gateway.close();
      await store.close();
    },
  };
}

it('starts a gateway that refuses whom it refused before, and lets them in again when that is said', async () => {
  const before = await deploy('of the spring');
  expect(await before.api.post('/api/v1/principals/revoke', BOB)).toMatchObject({ status: 200 });
  await before.close();

  const after = await deploy('of the autumn');
  try {
    expect(await after.statusOfBob()).toBe(401);
    expect((await after.api.post('/api/v1/principals/restore', BOB)).status).toBe(204);
    await waitUntil(async () => (await after.statusOfBob()) === 200, { description: 'let in again' });
    expect(await after.api.post('/api/v1/principals/revoke', BOB)).toMatchObject({ status: 200 });
  } finally {
    await after.close();
  }
});
