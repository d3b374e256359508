import { describe, expect, it } from 'vitest';

import { answeredId, readIncoming } from './incoming.js';

const read = (message: unknown) => readIncoming(JSON.stringify(message));

describe('an incoming line', () => {
  it('is a request when it has to be answered', () => {
    const params = { name: 'echo' };
    expect(read({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toMatchObject({
      requests: [{ id: 1, method: 'tools/call', params }],
      notifications: [],
      isBatch: false,
    });
  });

  it('may have a byte order mark before it', () => {
    expect(readIncoming('\ufeff{"jsonrpc":"2.0","id":1,"method":"initialize"}').requests).toEqual([{ id: 1, method: 'initialize' }]);
  });

  it('is a notification too when its id is null', () => {
    const { requests, notifications } = read({ jsonrpc: '2.0', id: null, method: 'notifications/initialized', params: null });
    expect({ requests, notifications }).toEqual({ requests: [], notifications: [{ method: 'notifications/initialized', params: null }] });
  });

  it('is a notification when it has a method and no id', () => {
    expect(read({ jsonrpc: '2.0', method: 'exit' })).toMatchObject({ requests: [], notifications: [{ method: 'exit' }] });
  });

  it.each([[{ id: 1, result: {} }], [{ id: 's', error: { code: 1, message: '' } }]])('needs no answer when it is one: %j', (message) => {
    expect(read(message)).toMatchObject({ requests: [], notifications: [] });
  });

  it.each([
    [{ id: 7, method: 5 }, 7],
    [{ id: 7 }, 7],
    [{ id: null, method: 'ping' }, null],
    [{ id: 1.5, method: 'ping' }, null],
    [{}, null],
    ['text', null],
    [null, null],
  ])('that is no message has to be answered all the same: %j', (message, id) => {
    expect(read(message).requests).toMatchObject([{ id }]);
  });

  it('may be a batch', () => {
    expect(read([{ id: 1, method: 'ping' }, { method: 'exit' }, { id: 2, result: {} }])).toMatchObject({
      requests: [{ id: 1 }],
      notifications: [{ method: 'exit' }],
      isBatch: true,
    });
  });
});

describe('a message of the gateway', () => {
  it('answers the request with its id, if it is no request itself', () => {
    expect(answeredId({ jsonrpc: '2.0', id: 'a', result: {} })).toBe('a');
    expect(answeredId({ jsonrpc: '2.0', id: null, error: {} })).toBe(null);
    expect(answeredId({ jsonrpc: '2.0', id: 'a', method: 'elicitation/create' })).toBe(undefined);
    expect(answeredId({ jsonrpc: '2.0', method: 'notifications/message' })).toBe(undefined);
  });
});
