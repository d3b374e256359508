import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { NewSession, SessionStore } from '../gateway/session.js';
import type { SessionContractStore } from './contract-store.js';
import { describeState } from './describe-state.js';

function newSession(): NewSession {
  const client = { capabilities: { elicitation: {}, 'x-own': { deep: [1] } }, name: 'ünïcode', version: '1' };
  return { id: randomUUID(), owner: 'session:1', protocolVersion: '2025-11-25', client };
}

/** The contract of sessions, and of the secret that gateways share. */
export function sessionsContract(store: SessionContractStore): void {
  describeState(store, 'sessions', (state) => {
    const store = (): SessionStore => state().sessions;

    it('are read as they were created', async () => {
      const { client, ...session } = newSession();
      await store().create({ ...session, client });
      const loaded = await store().load(session.id);

      expect(loaded).toMatchObject(session);
      expect(loaded?.client()).toEqual(client);
      expect(loaded).not.toHaveProperty('logLevel');
    });

    it('say at what time of day they were opened', async () => {
      const session = newSession();
      const from = Date.now();
      await store().create(session);
      const { openedAt = 0 } = (await store().load(session.id)) ?? {};

      expect(openedAt).toBeGreaterThanOrEqual(from - 1_000);
      expect(openedAt).toBeLessThanOrEqual(Date.now() + 1_000);
    });

    it('are not there when nobody created them', async () => {
      expect(await store().load(randomUUID())).toBeUndefined();
      expect(await store().touch(randomUUID())).toBe(false);
      expect(await store().end(randomUUID())).toBe(false);
    });

    it('end once', async () => {
      const session = newSession();
      await store().create(session);

      expect(await store().touch(session.id)).toBe(true);
      expect(await store().end(session.id)).toBe(true);
      expect(await store().end(session.id)).toBe(false);
      expect(await store().load(session.id)).toBeUndefined();
    });

    it('keep their log level', async () => {
      const session = newSession();
      await store().create(session);
      await store().setLogLevel(session.id, 'error');

      expect(await store().load(session.id)).toMatchObject({ logLevel: 'error' });
    });

    it('keep that their client follows tasks', async () => {
      const session = newSession();
      await store().create(session);
      expect(await store().load(session.id)).not.toHaveProperty('followsTasks');
      await store().noteTasks(session.id);
      expect(await store().load(session.id)).toMatchObject({ followsTasks: true });
      await store().end(session.id);
      await store().noteTasks(session.id);

      expect(await store().load(session.id)).toBeUndefined();
    });

    it('say when they are shut down, and do not come back by that', async () => {
      const session = newSession();
      await store().create(session);
      expect(await store().load(session.id)).toMatchObject({ isShutDown: false });
      await store().shutDown(session.id);
      expect(await store().load(session.id)).toMatchObject({ isShutDown: true });
      await store().end(session.id);
      await store().shutDown(session.id);

      expect(await store().load(session.id)).toBeUndefined();
    });

    it('do not come back by a log level that is set too late', async () => {
      const session = newSession();
      await store().create(session);
      await store().end(session.id);
      await store().setLogLevel(session.id, 'error');

      expect(await store().load(session.id)).toBeUndefined();
      expect(await store().touch(session.id)).toBe(false);
    });

    it('have one secret, which stays', async () => {
      const secrets = await Promise.all([1, 2, 3].map(() => state().secret()));

      expect(new Set(secrets).size).toBe(1);
      expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    });
  });
}
