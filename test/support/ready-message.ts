import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import type { ReadyMessage } from 'longhaul/testing';

/** Waits until an app says that it serves; other messages may come before. */
export async function readyMessage(child: ChildProcess): Promise<ReadyMessage> {
  for await (const [message] of on(child, 'message') as AsyncIterable<[{ type: string }]>)
    if (message.type === 'ready') return message as ReadyMessage;
  throw new RangeError('The messages of a process have an end.');
}
