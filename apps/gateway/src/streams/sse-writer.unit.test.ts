import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SseWriter } from './sse-writer.js';

async function streamed(write: (stream: SseWriter) => void): Promise<Response> {
  const server = createServer((_request, response: ServerResponse) => {
    const stream = new SseWriter(response);
    stream.begin();
    write(stream);
    stream.end();
    write(stream); // Nothing is sent after the end.
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const response = await fetch(`http://127.0.0.1:${port}`);
    return new Response(await response.text(), { headers: response.headers });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('an event stream', () => {
  it('is not cached or buffered on its way', async () => {
    const { headers } = await streamed(() => undefined);

    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
  });

  it('has one event for each message, also when it has line breaks', async () => {
    const response = await streamed((stream) => {
      stream.send(JSON.stringify({ text: 'a\r\nb\n\nc\u2028' }));
      stream.send('{"id":2}', 'x_1');
    });

    expect(await response.text()).toBe(
      'event: message\ndata: {"text":"a\\r\\nb\\n\\nc\u2028"}\n\nevent: message\nid: x_1\ndata: {"id":2}\n\n',
    );
  });

  it('says where and when to go on, and that it is alive, without a message', async () => {
    const response = await streamed((stream) => {
      stream.retry(1_000, 'x_0');
      stream.retry(100);
      stream.keepAlive();
    });

    expect(await response.text()).toBe('retry: 1000\n\nid: x_0\ndata: \n\nretry: 100\n\n: keep-alive\n\n');
  });
});
