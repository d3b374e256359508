import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { methodsOf } from '../../../../../test/support/schema-methods.js';
import { KeepAlive } from '../../streams/keep-alive.js';
import type { SseWriter } from '../../streams/sse-writer.js';
import { silentOperation } from '../../rpc/operation.js';
import { CallResponse } from './call-response.js';
import { requestCall } from './request-call.js';

const NAMES = 'io.modelcontextprotocol';
const _meta = { [`${NAMES}/protocolVersion`]: '2026-07-28', [`${NAMES}/clientCapabilities`]: {}, [`${NAMES}/logLevel`]: 'debug' };

it('sends of the notifications that features can send those that the revision has', async () => {
  const alive = new KeepAlive<SseWriter>(15_000, (stream) => stream.keepAlive());
  const pushed = methodsOf('2025-11-25', 'ServerNotification');
  const server = createServer((raw, rawResponse) => {
    const response = new CallResponse(rawResponse, alive, { json: true, stream: true });
    const { call } = requestCall({ id: 1, method: 'tools/call', params: { _meta } }, raw, response, silentOperation());
    for (const method of pushed) call.scope.push({ method, params: {} });
    response.answer({});
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const text = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
    const received = Array.from(text.matchAll(/"method":"([^"]+)"/g), ([, method]) => method);
    const kept = methodsOf('2026-07-28', 'ServerNotification');
    expect(received).toEqual(pushed.filter((method) => kept.includes(method)));
    expect(received.length).toBeLessThan(pushed.length);
  } finally {
    alive.stop();
    server.close();
  }
});
