/** Sends messages over the standard input and output of a server that it starts. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { isResponse, type Message, type OnMessage, parseMessage, type Wire } from './wire.ts';

/** How a server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The file that gets what the server logs. @defaultValue that of this process */
  readonly log?: number;
}

export function openStdio({ command, args, env, log }: ServerCommand, onMessage: OnMessage): Wire {
  const stdio = ['pipe', 'pipe', log ?? 'inherit'] as const;
  const child = spawn(command, [...args], { env, stdio: [...stdio] }) as ChildProcessByStdio<Writable, Readable, null>;
  const exited = once(child, 'exit');
  const waiting = new Map<unknown, PromiseWithResolvers<Message>>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseMessage(line);
    if (!isResponse(message)) return onMessage(message);
    waiting.get(message['id'])?.resolve(message);
    waiting.delete(message['id']);
  });
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('The server has ended.'));
  });
  return {
    request(message) {
      const response = Promise.withResolvers<Message>();
      waiting.set(message.id, response);
      write(message);
      return response.promise;
    },
    async send(message) {
      write(message);
    },
    listen: () => undefined,
    async close() {
      waiting.clear();
      child.stdin.end();
      await exited;
    },
  };
}
