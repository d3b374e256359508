import { RpcError, TaskLeftError } from '@longhaul/client';
import type { startClientSpan } from '@longhaul/runtime/client-span';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { tracedCall } from './traced-call.js';

const CONTENT = { content: [] };

/** Makes a call. @returns what its span was given, in order */
async function spanOf(run: () => Promise<CallToolResult>): Promise<readonly unknown[]> {
  const given: unknown[] = [];
  const start: typeof startClientSpan = (name, attributes) => {
    given.push(name, attributes);
    return {
      within: (body) => {
        given.push('within');
        return body();
      },
      set: () => undefined,
      fail: (type) => void given.push(`fail ${type}`),
      end: () => void given.push('end'),
    };
  };
  await tracedCall('shop', 'charge', run, start).catch(() => undefined);
  return given;
}

it('makes a span by the conventions, within which the server is called', async () => {
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'charge',
    'longhaul.server': 'shop',
  };
  expect(await spanOf(() => Promise.resolve(CONTENT))).toEqual(['tools/call charge', attributes, 'within', 'end']);
});

it.each([
  ['a result that is an error', () => Promise.resolve({ ...CONTENT, isError: true }), ['fail tool_error']],
  ['an error of the server', () => Promise.reject(new RpcError(-32602, 'no')), ['fail -32602']],
  ['a connection that is lost', () => Promise.reject(new TypeError('fetch failed')), ['fail TypeError']],
  ['a call that has become a task', () => Promise.reject(new TaskLeftError()), []],
])('says how %s ended', async (_, run, how) => {
  expect((await spanOf(run)).slice(2)).toEqual(['within', ...how, 'end']);
});
