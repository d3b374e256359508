import { randomUUID } from 'node:crypto';
import { createMemoryBackend, type Signals } from '@longhaul/sessions';
import { TaskError } from '@longhaul/tasks';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeptSessions } from './kept-sessions.js';
import { createMemorySessionStore } from './memory/session-store.js';
import type { SessionStore } from './session.js';

let signals: Signals;
let inStore: SessionStore;
let reads: string[];
let id: string;

beforeEach(async () => {
  ({ signals } = createMemoryBackend());
  const memory = createMemorySessionStore({ clock: Date.now, idleMs: 60_000 });
  reads = [];
  inStore = {
    ...memory,
    load(of) {
      reads.push(of);
      return memory.load(of);
    },
  };
  id = randomUUID();
  await inStore.create({ id, owner: `session:${id}`, protocolVersion: '2025-11-25', client: { capabilities: {} } });
});

/** The sessions of one gateway, which keeps them from now on. */
async function gateway(of: Signals = signals): Promise<KeptSessions> {
  const sessions = new KeptSessions(inStore, { signals: of, channel: 'sessions', idleMs: 60_000 });
  await sessions.load(randomUUID());
  reads.length = 0;
  return sessions;
}

/** Does something, and waits until all gateways have heard of the change. */
async function announced<T>(change: () => Promise<T>): Promise<T> {
  const heard = Promise.withResolvers<void>();
  const unsubscribe = await signals.subscribe('sessions', () => heard.resolve());
  const done = await change();
  await heard.promise;
  unsubscribe();
  return done;
}

describe('a session', () => {
  it('is read once for requests that follow each other, or come at once', async () => {
    const sessions = await gateway();
    const [first, second] = await Promise.all([sessions.load(id), sessions.load(id)]);
    expect(first).toMatchObject({ id, owner: `session:${id}` });
    expect([second, await sessions.load(id)]).toEqual([first, first]);
    expect(reads).toEqual([id]);
  });

  it('is at every gateway what one of them has made of it', async () => {
    const [here, there] = [await gateway(), await gateway()];
    await Promise.all([here.load(id), there.load(id)]);
    await announced(() => here.setLogLevel(id, 'error'));
    expect([await here.load(id), await there.load(id)]).toMatchObject([{ logLevel: 'error' }, { logLevel: 'error' }]);
    await announced(() => there.shutDown(id));
    expect([await here.load(id), await there.load(id)]).toMatchObject([{ isShutDown: true }, { isShutDown: true }]);
    expect(await announced(() => here.end(id))).toBe(true);
    expect([await here.load(id), await there.load(id)]).toEqual([undefined, undefined]);
  });

  it('is not kept as it was read before it changed', async () => {
    const sessions = await gateway();
    const asRead = Promise.withResolvers<void>();
    const { load } = inStore;
    inStore.load = async (of) => {
      const session = await load(of);
      await asRead.promise;
      return session;
    };
    const loading = sessions.load(id);
    await announced(() => signals.publish('sessions', id));
    asRead.resolve();
    await loading;
    await sessions.load(id);
    expect(reads).toEqual([id, id]);
  });

  it('is not kept while it is not there, or cannot be read', async () => {
    const sessions = await gateway();
    const absent = randomUUID();
    expect([await sessions.load(absent), await sessions.load(absent)]).toEqual([undefined, undefined]);
    const { load } = inStore;
    inStore.load = () => Promise.reject(new TaskError('STORE_UNAVAILABLE'));
    await expect(sessions.load(id)).rejects.toThrow(TaskError);
    inStore.load = load;
    expect(await sessions.load(id)).toMatchObject({ id });
    expect(reads).toEqual([absent, absent, id]);
  });

  it('is read anew when messages may have been missed, and each time while none are received', async () => {
    let missed = (): void => undefined;
    let mayListen = false;
    const lossy: Signals = {
      publish: () => Promise.reject(new TaskError('STORE_UNAVAILABLE')),
      subscribe(channel, listener) {
        if (!mayListen) return Promise.reject(new TaskError('STORE_UNAVAILABLE'));
        missed = () => listener(undefined);
        return signals.subscribe(channel, listener);
      },
    };
    const sessions = await gateway(lossy);
    await sessions.load(id);
    await sessions.load(id);
    expect(reads).toEqual([id, id]);
    mayListen = true;
    await sessions.load(id);
    await sessions.load(id);
    await sessions.load(id);
    expect(reads).toHaveLength(4);
    missed();
    await sessions.load(id);
    expect(reads).toHaveLength(5);
    // What cannot be announced is done.
    expect(await sessions.end(id)).toBe(true);
    expect(await sessions.load(id)).toBeUndefined();
  });
});
