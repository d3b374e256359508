import { waitUntil } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { RequestWatch } from './request-watch.js';

const PATIENT = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };

describe('A watched request', () => {
  it('ends when its answer is too long', async () => {
    using watch = new RequestWatch({ signal: new AbortController().signal, timeouts: PATIENT, maxBytes: 10 });
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(4)),
      cancel: () => {
        isCancelled = true;
      },
    });

    const response = await watch.through(async () => new Response(endless))('http://127.0.0.1');

    await expect(response.text()).rejects.toMatchObject({
      code: 'BAD_RESPONSE',
      message: 'The answer of the endpoint is longer than 10 bytes.',
    });
    expect(watch.signal.reason).toMatchObject({ code: 'BAD_RESPONSE' });
    expect(isCancelled).toBe(true);
  });

  it.each([
    ['reads to its end what its reader has done with', 2],
    ['does not wait for an end that does not come', Infinity],
  ])('%s', async (_what, chunks) => {
    using watch = new RequestWatch({ signal: new AbortController().signal, timeouts: PATIENT, maxBytes: 10 });
    let pulled = 0;
    let end: 'closed' | 'cancelled' | undefined;
    const source = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        pulled += 1;
        if (pulled === 1) return controller.enqueue(new Uint8Array(1));
        if (pulled < chunks) return new Promise<void>(() => {});
        end = 'closed';
        controller.close();
      },
      cancel: () => {
        end = 'cancelled';
      },
    });
    const response = await watch.through(async () => new Response(source))('http://127.0.0.1');
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();

    expect(await waitUntil(() => end, { description: 'the source has ended' })).toBe(chunks === 2 ? 'closed' : 'cancelled');
  });

  it('leaves alone what happens after it is over', async () => {
    const caller = new AbortController();
    const watch = new RequestWatch({ signal: caller.signal, timeouts: PATIENT, maxBytes: 10 });
    watch[Symbol.dispose]();
    caller.abort();

    const response = await watch.through(async () => new Response('longer than ten bytes'))('http://127.0.0.1');
    expect(await response.text()).toBe('longer than ten bytes');
    expect(watch.signal.aborted).toBe(false);
  });

  it('has the body and the headers of an answer as they are', async () => {
    using watch = new RequestWatch({ signal: new AbortController().signal, timeouts: PATIENT, maxBytes: 10 });
    const answers = [new Response('é', { status: 201, headers: { 'x-id': '7' } }), new Response(null, { status: 204 })];
    const fetch = watch.through(async () => answers.shift() ?? Response.error());

    const created = await fetch('http://127.0.0.1');
    expect([created.status, created.headers.get('x-id'), await created.text()]).toEqual([201, '7', 'é']);
    expect((await fetch('http://127.0.0.1')).status).toBe(204);
  });
});
