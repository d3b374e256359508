/** Tests an attacker with write access to the store, who removes records as retention does, and moves the base of their chain. */
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@longhaul/sessions';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { connectRedisStore, RedisKeys } from '@longhaul/store-redis';
import { AuditWriter } from '@longhaul/tasks';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestRedis } from '../../support/redis.js';
import { TestFolder } from '../../support/test-folder.js';
import { operated } from '../support/operated.js';

const KEEP = 100;
const onError = (error: unknown): never => {
  throw error;
};

/** A store, and what somebody does to it: the chain of operators begins behind a record, and nothing up to that is left. */
interface Removable {
  readonly store: Store;
  removeUpTo(number: number, hash: string): Promise<void>;
  close(): Promise<void>;
}

async function onRedis(): Promise<Removable> {
  const test = openTestRedis();
  const store = await connectRedisStore({ ...test, role: 'gateway', onError });
  const { records, chain } = new RedisKeys(test.prefix).auditChain('operators');
  return {
    store,
    async removeUpTo(number, hash) {
      await test.redis.hset(chain, { baseNumber: number, baseHash: hash });
      await test.redis.xtrim(records, 'MINID', '=', `${number + 1}-0`);
    },
    async close() {
      await store.close();
      await test.cleanUp();
    },
  };
}

async function onSqlite(): Promise<Removable> {
  const folder = new TestFolder();
  const store = await openSqliteStore({ path: folder.dataFile, sync: 'normal', onError });
  return {
    store,
    async removeUpTo(number, hash) {
      const file = new DatabaseSync(folder.dataFile);
      file.prepare("UPDATE audit_chains SET base_number = ?, base_hash = ? WHERE chain = 'operators'").run(number, hash);
      file.prepare("DELETE FROM audit_records WHERE chain = 'operators' AND number <= ?").run(number);
      file.close();
    },
    async close() {
      await store.close();
      folder.remove();
    },
  };
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

interface Report {
  readonly head: { readonly number: number; readonly hash: string };
  readonly base: { readonly number: number; readonly hash: string };
}

describe.each([
  ['Redis', onRedis],
  ['SQLite', onSqlite],
])('a chain of audit records in %s', (_name, open) => {
  const started = async (entries: number) => {
    const opened = await open();
    closers.push(() => opened.close());
    const api = await operated(opened.store, { LONGHAUL_AUDIT_ENTRIES: String(KEEP) });
    closers.push(() => api.operator.close());
    const writer = new AuditWriter({ log: opened.store.audit, chain: 'operators', keep: KEEP, onError });
    const write = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++)
        writer.record({ who: 'ada', action: 'task.cancel', target: String(n), reason: 'for the test', outcome: 'done' });
      await writer.flush();
    };
    await write(entries);
    const verify = async (...anchors: object[]) => {
      const { body } = await api.post('/api/v1/audit/verify', { anchors });
      const { isWhole, chains } = body as unknown as { readonly isWhole: boolean; readonly chains: readonly [Report, ...Report[]] };
      return { isWhole, report: chains[0] };
    };
    return { opened, write, verify };
  };
  const anchorOf = ({ head, base }: Report): object => ({ chain: 'operators', ...head, base });

  it('shows that its records were removed before their time, with its anchors and without', async () => {
    const { opened, write, verify } = await started(150);
    const { isWhole, report } = await verify();
    expect({ isWhole, base: report.base.number }).toEqual({ isWhole: true, base: 50 });
    await write(10);
    const { head } = (await verify()).report;
    await opened.removeUpTo(head.number, head.hash);
    const removed = { isWhole: false, report: { checked: 0, faults: [{ kind: 'removed', number: 61, to: 160 }], outdatedAnchors: 0 } };
    expect(await verify()).toMatchObject(removed);
    expect(await verify(anchorOf(report))).toMatchObject(removed);
  });

  it('is whole while retention goes on, and counts the anchors that are out of date', async () => {
    const { write, verify } = await started(150);
    const anchor = anchorOf((await verify()).report);
    for (const outdatedAnchors of [0, 0, 1]) {
      await write(50);
      expect(await verify(anchor)).toMatchObject({ isWhole: true, report: { checked: KEEP, faultCount: 0, outdatedAnchors } });
    }
  });
});
