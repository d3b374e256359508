import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createMemoryBackend } from '@longhaul/sessions';
import { createTaskService } from '@longhaul/tasks';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { StreamRef } from '../../state/stream-store.js';
import { LiveStream } from './live-stream.js';
import { PostResponse } from './post-response.js';
import { createUnloggedStreams } from './unlogged-streams.js';

const REF: StreamRef = { sessionId: 's', streamId: 'stream', gatewayId: 'g', epoch: 1, isStandalone: false };
const { patiently } = createTaskService(createMemoryBackend({ onError: () => undefined }), { onError: () => undefined });

/** Whether the client of a response is sent elsewhere; otherwise it has to be answered. */
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
  // The log could not be reached when the stream was opened.
  [false, { isResumable: true, isPrimed: false }],
])('sends its client elsewhere only if that has an id to come back with: %s for %o', async (expected, stream) => {
  expect(await isSentElsewhere(stream)).toBe(expected);
});
