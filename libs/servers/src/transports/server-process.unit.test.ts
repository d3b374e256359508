import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { ServerProcess } from './server-process.js';

let server: ServerProcess | undefined;
afterEach(() => server?.close());

/** The messages that are read from a process, up to the answer with the id "last". */
async function messagesOf(program: string): Promise<JSONRPCMessage[]> {
  server = new ServerProcess({ command: process.execPath, args: ['-e', program], env: {} });
  const messages: JSONRPCMessage[] = [];
  const last = Promise.withResolvers<void>();
  server.onmessage = (message) => {
    if ('id' in message && message.id === 'last') last.resolve();
    else messages.push(message);
  };
  await server.start();
  await last.promise;
  return messages;
}

const LAST = `console.log('{"jsonrpc":"2.0","id":"last","result":{}}');`;
const print = (text: string): string => `console.log(${JSON.stringify(text)}); ${LAST}`;
const refused = (why: string) => [
  { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: `The answer of the server cannot be read${why}` } },
];

describe('an answer that cannot be read', () => {
  it.each([
    ['has an error that is a text', '{"jsonrpc":"2.0","id":1,"error":"no disk"}', ': no disk'],
    ['has an error without a code', '{"jsonrpc":"2.0","id":1,"error":{"message":"no disk"}}', ': no disk'],
    ['has an error that says nothing', '{"jsonrpc":"2.0","id":1,"error":{}}', ''],
    ['has a result that is a text', '{"jsonrpc":"2.0","id":1,"result":"x"}', ''],
    ['has no version', '{"id":1,"result":{}}', ''],
    ['has neither', '{"jsonrpc":"2.0","id":1}', ''],
  ])('is an error of its request: one that %s', async (_, text, why) => {
    expect(await messagesOf(print(text))).toEqual(refused(why));
  });

  it('is one also where it is nested too deeply', async () => {
    const program = `console.log('{"jsonrpc":"2.0","id":1,"result":{"a":' + '['.repeat(200000) + ']'.repeat(200000) + '}}'); ${LAST}`;
    expect(await messagesOf(program)).toEqual(refused(''));
  });
});

describe('what is no message', () => {
  it.each([
    'hello',
    '{"level":30,"msg":"log"}',
    '{"id":null,"result":{}}',
    '{"id":1',
    '[{"jsonrpc":"2.0","id":1,"result":{}}]',
    'null',
    '{}',
  ])('is passed over: %s', async (text) => {
    expect(await messagesOf(print(text))).toEqual([]);
  });
});

describe('a message to a process that has ended', () => {
  it('is certainly not acted on, also before the end is noticed', async () => {
    server = new ServerProcess({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {} });
    await server.start();
    process.kill(server.pid ?? 0, 'SIGKILL');
    const sent = async (): Promise<unknown> => {
      for (;;) await server?.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    };
    await expect(sent()).rejects.toMatchObject({ name: 'ConnectionLostError', effect: 'none' });
    expect(server.ended).toBe('ended by SIGKILL');
  });
});
