import { openMemoryStore } from '@longhaul/store-sqlite';
import { randomUUID } from 'node:crypto';
import { TaskError } from '@longhaul/tasks';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeptSessions } from './sessions.js';
import type { SessionStore } from '@longhaul/sessions/gateway';

let gateways: KeptSessions[];
let inStore: SessionStore;
let reads: string[];
let id: string;

beforeEach(async () => {
  const memory = openMemoryStore({ clock: Date.now, sessionTtlMs: 60_000 }).gateway.sessions;
  gateways = [];
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

/** The sessions of one gateway of several. */
function gateway(): KeptSessions {
  const announce = async (changed: string): Promise<void> => gateways.forEach((each) => each.forget(changed));
  const sessions = new KeptSessions(inStore, { ms: 15_000, announce });
  gateways.push(sessions);
  return sessions;
}

describe('a session', () => {
  it('is read once for requests that follow each other, or come at once', async () => {
    const sessions = gateway();
    const [first, second] = await Promise.all([sessions.load(id), sessions.load(id)]);
    expect(first).toMatchObject({ id, owner: `session:${id}` });
    expect([second, await sessions.load(id)]).toEqual([first, first]);
    expect(reads).toEqual([id]);
  });

  it('is at every gateway what one of them has made of it', async () => {
    const [here, there] = [gateway(), gateway()];
    const seen = () => Promise.all([here.load(id), there.load(id)]);
    await seen();
    await here.setLogLevel(id, 'error');
    expect(await seen()).toMatchObject([{ logLevel: 'error' }, { logLevel: 'error' }]);
    await there.shutDown(id);
    expect(await seen()).toMatchObject([{ isShutDown: true }, { isShutDown: true }]);
    expect(await here.end(id)).toBe(true);
    expect(await here.load(id)).toBeUndefined();
  });

  it('is not kept as it was read before it changed', async () => {
    const sessions = gateway();
    const loading = sessions.load(id);
    sessions.forget(id);
    await loading;
    await sessions.load(id);
    expect(reads).toEqual([id, id]);
  });

  it('is not kept while it is not there, or cannot be read', async () => {
    const sessions = gateway();
    const absent = randomUUID();
    expect([await sessions.load(absent), await sessions.load(absent)]).toEqual([undefined, undefined]);
    const { load } = inStore;
    inStore.load = () => Promise.reject(new TaskError('STORE_UNAVAILABLE'));
    await expect(sessions.load(id)).rejects.toThrow(TaskError);
    inStore.load = load;
    expect(await sessions.load(id)).toMatchObject({ id });
    expect(reads).toEqual([absent, absent, id]);
  });

  it('is read anew when messages may have been missed', async () => {
    const sessions = gateway();
    await sessions.load(id);
    sessions.forgetAll();
    await sessions.load(id);
    expect(reads).toEqual([id, id]);
  });
});
