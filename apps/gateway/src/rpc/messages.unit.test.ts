import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { readMessage, requestsIn } from './messages.js';

describe('a message is', () => {
  it.each([
    [{ jsonrpc: '2.0', id: 1, method: 'ping' }, 'request'],
    [{ jsonrpc: '2.0', id: '', method: 'ping', params: {} }, 'request'],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }, 'notification'],
    [{ jsonrpc: '2.0', id: 'a', result: {} }, 'response'],
    [{ jsonrpc: '2.0', id: 0, error: { code: 1, message: 'x' } }, 'response'],
  ])('%j a %s, as it is for the SDK', (value, kind) => {
    expect(readMessage(value).kind).toBe(kind);
    expect(JSONRPCMessageSchema.safeParse(value).success).toBe(true);
  });

  it('a response also when it has no usable id, which then answers nothing', () => {
    expect(readMessage({ jsonrpc: '2.0', id: null, error: {} })).toEqual({
      kind: 'response',
      response: { answer: { result: undefined, error: {} } },
    });
  });

  it.each([
    [null],
    [7],
    [[]],
    [{}],
    [{ jsonrpc: '2.0' }],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }],
    [{ jsonrpc: '2.0', id: 1, method: null }],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: null }],
    [{ jsonrpc: '2.0', id: [], method: 'ping' }],
    [{ jsonrpc: '2.0', id: true, method: 'ping' }],
    [{ jsonrpc: '2.0', id: 2 ** 60, method: 'ping' }],
  ])('invalid when it is %j', (value) => {
    expect(readMessage(value)).toMatchObject({ kind: 'invalid', reason: expect.stringContaining('Invalid Request') as string });
  });
});

describe('a body counts as', () => {
  const listening = (notifications: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications } });

  it.each([
    ['its messages', [{}, {}, {}], 3],
    ['a quarter of the tasks that are followed', listening({ taskIds: ['a', 'b', 'c', 'd', 'e'] }), 2],
    ['one request without tasks', listening({ taskIds: [] }), 1],
    ['one request when it follows none', listening({ toolsListChanged: true }), 1],
    ['one request of another method', { ...listening({ taskIds: ['a', 'b'] }), method: 'ping' }, 1],
    ['one request when it is none', listening(null), 1],
  ])('%s', (_what, body, count) => {
    expect(requestsIn(body)).toBe(count);
  });
});
