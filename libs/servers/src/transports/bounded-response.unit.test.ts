import { describe, expect, it } from 'vitest';
import { boundedResponse, MessageTooLarge } from './bounded-response.js';
import { MessageBudget, TooManyUnfinished } from './message-budget.js';

function response(chunks: readonly string[], contentType: string): Response {
  const body = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
  return new Response(body, { status: 201, headers: { 'content-type': contentType } });
}

describe('a response', () => {
  it('is what it was', async () => {
    const bounded = boundedResponse(response(['12345', '67890'], 'application/json'), 10);
    expect([bounded.status, bounded.headers.get('content-type'), await bounded.text()]).toEqual([201, 'application/json', '1234567890']);
  });

  it('cannot be read when it is larger than a message may be', async () => {
    await expect(boundedResponse(response(['12345', '67890', '\n'], 'application/json'), 10).text()).rejects.toThrow(MessageTooLarge);
  });

  it('may be of any length as a stream of messages that are small', async () => {
    const chunks = ['data: 1234\n', '\nda', 'ta: 56\r\n', '\r', '\ndata', ': 9\n\n'];
    expect(await boundedResponse(response(chunks, 'text/event-stream; charset=utf-8'), 10).text()).toBe(chunks.join(''));
  });

  it.each([[['data: 12345\n']], [['data: ', '12345', '\n']], [['\ndata: 12345']], [['data: 12', '345\n']], [['data: 1\n', 'data: 2\n']]])(
    'cannot be read as a stream where a message is larger: %j',
    async (chunks) => {
      await expect(boundedResponse(response(chunks, 'text/event-stream'), 10).text()).rejects.toThrow('more than 10 bytes');
    },
  );

  it('that is an error is bounded as well', async () => {
    const refused = boundedResponse(new Response('0123456789a', { status: 500 }), 10);
    expect(refused.status).toBe(500);
    await expect(refused.text()).rejects.toThrow(MessageTooLarge);
  });

  it('cannot be read when it is the largest of those that are read at the same time, and they are too large together', async () => {
    const budget = new MessageBudget(10);
    const open = (type: string) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const bounded = boundedResponse(new Response(readable, { headers: { 'content-type': type } }), 10, budget);
      const writer = writable.getWriter();
      return { reader: bounded.body!.getReader(), write: (text: string) => writer.write(new TextEncoder().encode(text)) };
    };
    const [large, small] = [open('application/json'), open('text/event-stream')];
    await Promise.all([large.write('12345678'), large.reader.read()]);
    const next = expect(large.reader.read()).rejects.toThrow(TooManyUnfinished);
    await Promise.all([small.write('1234'), small.reader.read()]);
    await next;
    for (const part of ['56\n\n', '12345678', '9\n\n']) await Promise.all([small.write(part), small.reader.read()]);
  });

  it('takes no room any more when nobody reads it to its end', async () => {
    const budget = new MessageBudget(10);
    for (let n = 0; n < 3; n++) {
      const reader = boundedResponse(response(['12345678', '9'], 'application/json'), 10, budget).body!.getReader();
      await reader.read();
      await reader.cancel();
    }
    expect(await boundedResponse(response(['1234567890'], 'application/json'), 10, budget).text()).toBe('1234567890');
  });
});
