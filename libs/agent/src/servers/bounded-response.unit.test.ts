import { describe, expect, it } from 'vitest';
import { boundedResponse, MessageTooLarge } from './bounded-response.js';

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
});
