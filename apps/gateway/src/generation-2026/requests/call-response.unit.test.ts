import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { KeepAlive } from '../../streams/keep-alive.js';
import { MAX_BUFFERED_BYTES, type SseWriter } from '../../streams/sse-writer.js';
import { CallResponse } from './call-response.js';

let server: Server | undefined;
const alive = new KeepAlive<SseWriter>(20, (stream) => stream.keepAlive());
afterEach(() => {
  alive.stop();
  server?.closeAllConnections();
  server?.close();
});

/** @returns the URL at which each request gets this answer */
async function serve(answer: (response: CallResponse) => void): Promise<string> {
  server = createServer((_request, raw) => answer(new CallResponse(raw, alive, { json: true, stream: true }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const note = (text: string) => ({ method: 'notifications/message', params: { text } });

describe('an answer', () => {
  it('is a single object with its length when nothing came before it', async () => {
    const url = await serve((response) => response.answer({ id: 'ä' }, { httpStatus: 429, headers: { 'retry-after': '1' } }));
    const received = await fetch(url);

    expect([received.status, received.headers.get('content-type'), received.headers.get('content-length')]).toEqual([
      429,
      'application/json',
      '11',
    ]);
    expect([received.headers.get('retry-after'), await received.json()]).toEqual(['1', { id: 'ä' }]);
  });

  it('goes out whole to a client that reads, however long it is, also on a stream', async () => {
    const text = 'x'.repeat(MAX_BUFFERED_BYTES + 1);
    const url = await serve((response) => {
      response.push(note('a'));
      response.answer({ id: 1, result: text });
    });
    expect((await (await fetch(url)).text()).length).toBeGreaterThan(text.length);
  });

  it('is the last message of a stream when something came before it, and nothing comes after it', async () => {
    const url = await serve((response) => {
      response.push(note('a'));
      response.answer({ id: 1 }, { httpStatus: 400 });
      response.push(note('b'));
      response.answer({ id: 2 });
    });
    const received = await fetch(url);

    expect([received.status, received.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await received.text()).toBe(
      `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...note('a') })}\n\nevent: message\ndata: {"id":1}\n\n`,
    );
  });

  it('that is no JSON leaves room for another one', async () => {
    const url = await serve((response) => {
      expect(() => response.answer({ id: 1n })).toThrow(TypeError);
      response.answer({ id: 2 });
    });

    expect(await (await fetch(url)).json()).toEqual({ id: 2 });
  });

  it('is none to what was only to be taken', async () => {
    const received = await fetch(await serve((response) => response.accept()));

    expect([received.status, received.headers.get('content-length'), await received.text()]).toEqual([202, '0', '']);
  });
});

describe('a stream', () => {
  it('has signs of life while nothing happens, and leaves none behind', async () => {
    const url = await serve((response) => response.push(note('a')));
    const leaving = new AbortController();
    const reader = (await fetch(url, { signal: leaving.signal })).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(': keep-alive\n\n: keep-alive\n\n')) text += (await reader?.read())?.value;
    leaving.abort();

    await waitUntil(() => [...alive].length === 0, { description: 'it is kept alive no more' });
  });

  it('of a client that does not read what there is for it is cut off', async () => {
    const given = Promise.withResolvers<CallResponse>();
    const url = await serve((opened) => given.resolve(opened));
    const reading = fetch(url);
    const open = await given.promise;
    let sent = 0;
    while (!open.isCancelled && sent < 4 * MAX_BUFFERED_BYTES) {
      open.push(note('x'.repeat(1024 * 1024)));
      sent += 1024 * 1024;
      await new Promise(setImmediate);
    }

    expect(open.signal.aborted).toBe(true);
    await expect(reading.then((received) => received.text())).rejects.toThrow();
  });
});

describe('hanging up', () => {
  it('cancels what has no answer yet, and notifies its listeners', async () => {
    const given = Promise.withResolvers<CallResponse>();
    const url = await serve((opened) => given.resolve(opened));
    const leaving = new AbortController();
    fetch(url, { signal: leaving.signal }).catch(() => undefined);
    const open = await given.promise;
    const over = new Promise<void>((resolve) => open.whenOver(resolve));
    const { signal } = open;
    expect([signal.aborted, open.isCancelled]).toEqual([false, false]);
    leaving.abort();
    await over;

    expect([signal.aborted, open.isCancelled]).toEqual([true, true]);
    await new Promise<void>((resolve) => open.whenOver(resolve));
    open.answer({ id: 1 });
  });

  it('is none when the answer has arrived', async () => {
    const given = Promise.withResolvers<CallResponse>();
    const url = await serve((opened) => {
      opened.answer({ id: 1 });
      given.resolve(opened);
    });
    await (await fetch(url)).json();
    const open = await given.promise;
    await new Promise<void>((resolve) => open.whenOver(resolve));

    expect([open.signal.aborted, open.isCancelled]).toEqual([false, false]);
  });

  it('is what a request is cut off as when the process ends, with an answer', async () => {
    const responses: CallResponse[] = [];
    const url = await serve((opened) => {
      responses.push(opened);
      opened.cutOff({ id: 1 }, { httpStatus: 503 });
    });
    const received = await fetch(url);

    expect([received.status, await received.json()]).toEqual([503, { id: 1 }]);
    expect(responses.map(({ isCancelled, signal }) => [isCancelled, signal.aborted])).toEqual([[true, true]]);
  });
});
