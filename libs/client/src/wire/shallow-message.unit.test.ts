import { expect, it } from 'vitest';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { shallowMessage } from './shallow-message.js';

const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
const answer = (result: object) => ({ jsonrpc: '2.0', id: 1, result }) as JSONRPCMessage;

it('a message is left as it is up to the limit', () => {
  const message = answer({ tools: [{ name: 'a', inputSchema: deep(250) }] });
  expect(shallowMessage(message, () => undefined)).toBe(message);
});

it('an entry of a list that is nested too deeply is left out by its name', () => {
  const lines: string[] = [];
  const tools = [{ name: 'deep', inputSchema: deep(100_000) }, { name: 'b' }];
  expect(shallowMessage(answer({ tools }), (line) => lines.push(line))).toEqual(answer({ tools: [{ name: 'b' }] }));
  expect(lines).toEqual(['Of the tools, "deep" is left out: it is nested deeper than 256 levels']);
});

it('an answer that is nested too deeply is an error, and a notification is none any more', () => {
  const text = 'The server sent a message that is nested deeper than 256 levels.';
  expect(shallowMessage(answer({ structuredContent: deep(1_000) }), () => undefined)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32_603, message: text },
  });
  const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { data: deep(1_000) } } as JSONRPCMessage;
  expect(shallowMessage(notification, () => undefined)).toEqual({ jsonrpc: '2.0', method: 'notifications/unreadable' });
});
