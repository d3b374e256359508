import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SseWriter } from './sse-writer.js';

async function streamed(write: (raw: ServerResponse) => void): Promise<Response> {
  const server = createServer((_request, response) => write(response));
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
    const { headers } = await streamed((raw) => new SseWriter(raw).end());

    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
  });

  it('has one event for each message, whatever line breaks are in it', async () => {
    const response = await streamed((raw) => {
      const stream = new SseWriter(raw);
      stream.send(JSON.stringify({ text: 'a\r\nb\n\nc\u2028' }));
      stream.send('{"id":2}');
      stream.end();
    });

    expect(await response.text()).toBe('event: message\ndata: {"text":"a\\r\\nb\\n\\nc\u2028"}\n\nevent: message\ndata: {"id":2}\n\n');
  });

  it('is kept alive by comments until it ends', async () => {
    const response = await streamed((raw) => {
      let beats = 0;
      const stream = new SseWriter(raw, {
        keepAliveMs: 1,
        onKeepAlive: () => {
          beats += 1;
          if (beats === 2) stream.end();
        },
      });
    });

    expect(await response.text()).toBe(': keep-alive\n\n: keep-alive\n\n');
  });
});
