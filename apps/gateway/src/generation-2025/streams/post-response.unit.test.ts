import { openMemoryStore } from '@longhaul/store-sqlite';
import type { StreamRef } from '@longhaul/sessions/gateway';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createTaskService } from '@longhaul/tasks';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { LiveStream } from './live-stream.js';
import { PostResponse } from './post-response.js';
import { createUnloggedStreams } from './unlogged-streams.js';

const REF: StreamRef = { sessionId: 's', streamId: 'stream', gatewayId: 'g', epoch: 1, isStandalone: false };
const { patiently } = createTaskService(openMemoryStore({ onError: () => undefined }), { onError: () => undefined });

/** Whether the client of a response is sent elsewhere; otherwise it must be answered. */
async function isSentElsewhere({ isResumable, isPrimed }: { readonly isResumable: boolean; readonly isPrimed: boolean }): Promise<boolean> {
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  const deps = { store: createUnloggedStreams(), patiently, logger: pino({ level: 'silent' }) };
  const response = new PostResponse(raw, {
    requestIds: [1],
    isBatch: false,
    forms: { json: true, stream: true },
    source: {
      holder: REF,
      isResumable,
      isKept: true,
      open: async () => new LiveStream(deps, { ref: REF, raw, cursor: 0, due: 1, isPrimed }),
    },
  });
  let isToAnswer = false;
  response.sendElsewhere(() => {
    isToAnswer = true;
  });
  await expect.poll(() => isToAnswer || raw.writableEnded).toBe(true);
  return !isToAnswer;
}

it.each([
  [true, { isResumable: true, isPrimed: true }],
  [false, { isResumable: false, isPrimed: false }],
  // The log was unreachable when the stream was opened.
  [false, { isResumable: true, isPrimed: false }],
])('sends its client elsewhere only if that has an id to come back with: %s for %o', async (expected, stream) => {
  expect(await isSentElsewhere(stream)).toBe(expected);
});

describe('a batch', () => {
  const batchOf = (count: number) => {
    const raw = new ServerResponse(new IncomingMessage(new Socket()));
    const response = new PostResponse(raw, {
      requestIds: Array.from({ length: count }, (_, id) => id),
      isBatch: true,
      forms: { json: true, stream: false },
      source: { holder: REF, isResumable: false, isKept: false, open: () => Promise.reject(new Error('It takes no stream.')) },
    });
    return { raw, response };
  };

  it('has no more of its answers than fit together, and errors in place of the others', async () => {
    const { raw, response } = batchOf(4);
    const received = new PassThrough();
    raw.assignSocket(received as unknown as Socket);
    const long = 'x'.repeat(9_000_000);
    for (const id of [0, 1, 2, 3]) response.answer({ jsonrpc: '2.0', id, result: { text: id === 3 ? 'short' : long } }, {}, false);

    const [, body = ''] = (await text(received.end())).split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual([
      { jsonrpc: '2.0', id: 0, result: { text: long } },
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message: expect.stringContaining('by itself') as string } },
      { jsonrpc: '2.0', id: 2, error: { code: -32000, message: expect.stringContaining('by itself') as string } },
      { jsonrpc: '2.0', id: 3, result: { text: 'short' } },
    ]);
  });

  it('is listened to once, and tells all of its requests that it is closed', () => {
    const { raw, response } = batchOf(100);
    const before = raw.listenerCount('close');
    const closed: number[] = [];
    for (let id = 0; id < 100; id++) response.onClose(() => closed.push(id));

    expect(raw.listenerCount('close')).toBe(before + 1);
    raw.emit('close');
    expect(closed).toHaveLength(100);
  });
});
