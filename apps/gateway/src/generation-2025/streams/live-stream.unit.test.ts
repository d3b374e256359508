import type { StreamRef, StreamRequest } from '@longhaul/sessions/gateway';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createMemoryBackend, MemoryStreamStore } from '@longhaul/sessions';
import { createTaskService, TaskError, type TaskId } from '@longhaul/tasks';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { LiveStream } from './live-stream.js';

const REF: StreamRef = { sessionId: 's', streamId: 'stream', gatewayId: 'g', epoch: 1, isStandalone: false };
const LEASE_MS = 10_000;
const backend = createMemoryBackend({ onError: () => undefined });
const { patiently } = createTaskService(backend, { onError: () => undefined });

/** A store that fails its next calls of a kind. */
class FailingStore extends MemoryStreamStore {
  failures = { bind: 0, read: 0 };

  override async bind(stream: StreamRef, requests: readonly StreamRequest[]): Promise<void> {
    this.#fail('bind');
    await super.bind(stream, requests);
  }

  override async read(stream: StreamRef, after: number) {
    this.#fail('read');
    return super.read(stream, after);
  }

  #fail(kind: keyof typeof this.failures): void {
    if (this.failures[kind]-- > 0) throw new TaskError('STORE_UNAVAILABLE');
  }
}

async function opened() {
  const store = new FailingStore({ clock: Date.now, signals: backend.signals });
  await store.open({ ...REF, requests: [{ id: 1 }], leaseMs: LEASE_MS, maxOpen: 16 });
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  const deps = { store, patiently, logger: pino({ level: 'silent' }) };
  const stream = new LiveStream(deps, { ref: REF, raw, cursor: 0, due: 1, isPrimed: true });
  return { store, stream };
}

describe('while the log of a stream cannot be reached', () => {
  it('the task of its answer is noted with the next sign of life', async () => {
    const { store, stream } = await opened();
    store.failures.bind = 1;
    stream.bind([{ id: 1, taskId: 't' as TaskId }]);
    await stream.catchUp(); // What comes after it in its turn.
    await stream.keepAlive(LEASE_MS);
    const taken = await store.takeOver({ ...REF, n: 0, gatewayId: 'other', leaseMs: LEASE_MS, maxOpen: 16 });

    expect(taken).toMatchObject({ stream: { requests: [{ id: 1, taskId: 't' }] } });
  });

  it('what others have appended is read as soon as it can be', async () => {
    const { store, stream } = await opened();
    await store.append(REF, { json: '{"id":1}', isExclusive: false, isAnswer: true });
    store.failures.read = 2;
    await stream.catchUp();

    expect(stream.isOver).toBe(true);
  });
});
