import { openMemoryStore } from '@longhaul/store-sqlite';
import type { StreamRef } from '@longhaul/sessions/gateway';
import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createTaskService, TaskError, type TaskId } from '@longhaul/tasks';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { override } from '../../../../../test/support/override.js';
import { LiveStream } from './live-stream.js';

const REF: StreamRef = { sessionId: 's', streamId: 'stream', gatewayId: 'g', epoch: 1, isStandalone: false };
const LEASE_MS = 10_000;
const memory = openMemoryStore({ onError: () => undefined });
const { patiently } = createTaskService(memory, { onError: () => undefined });

/** A store whose next calls of a kind fail. */
function failingStore() {
  const { streams } = memory.gateway;
  const failures = { bind: 0, read: 0 };
  const fail = (kind: keyof typeof failures): void => {
    if (failures[kind]-- > 0) throw new TaskError('STORE_UNAVAILABLE');
  };
  const store = override(streams, {
    bind: async (...given) => {
      fail('bind');
      await streams.bind(...given);
    },
    read: async (...given) => {
      fail('read');
      return streams.read(...given);
    },
  });
  return { store, failures };
}

async function opened() {
  const { store, failures } = failingStore();
  const ref = { ...REF, sessionId: randomUUID() };
  await store.open({ ...ref, requests: [{ id: 1 }], leaseMs: LEASE_MS, maxOpen: 16 });
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  const deps = { store, patiently, logger: pino({ level: 'silent' }) };
  const stream = new LiveStream(deps, { ref, raw, cursor: 0, due: 1, isPrimed: true });
  return { store, failures, ref, stream };
}

describe('while the log of a stream cannot be reached', () => {
  it('the task of its answer is noted with the next sign of life', async () => {
    const { store, failures, ref, stream } = await opened();
    failures.bind = 1;
    stream.bind([{ id: 1, taskId: 't' as TaskId }]);
    await stream.catchUp(); // It runs after the earlier calls.
    await stream.keepAlive(LEASE_MS);
    const taken = await store.takeOver({ ...ref, n: 0, gatewayId: 'other', leaseMs: LEASE_MS, maxOpen: 16 });

    expect(taken).toMatchObject({ stream: { requests: [{ id: 1, taskId: 't' }] } });
  });

  it('what others have appended is read as soon as it can be', async () => {
    const { store, failures, ref, stream } = await opened();
    await store.append(ref, { json: '{"id":1}', isExclusive: false, isAnswer: true });
    failures.read = 2;
    await stream.catchUp();

    expect(stream.isOver).toBe(true);
  });
});
