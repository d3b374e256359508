import { METHODS, type MethodTraits } from '@longhaul/gateway/methods';
import { describe, expect, it } from 'vitest';

import { readIncoming } from './incoming.js';
import { statelessHeaders } from './stateless-headers.js';

const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const headersOf = (message: unknown) => statelessHeaders(readIncoming(JSON.stringify(message)));

describe('the headers of a request without a session', () => {
  const params = { name: 'two words', uri: 'demo://x?y=1', taskId: 't-1' };

  it.each([
    ...Object.entries<MethodTraits>(METHODS).map(
      ([method, { subject }]) => [method, params, subject === undefined ? undefined : params[subject]] as const,
    ),
    ['tools/call', { name: 7 }, undefined] as const,
    ['toString', params, undefined] as const,
  ])('repeat revision, method and name: %s %j', (method, params, name) => {
    expect(headersOf({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    });
  });

  it.each([
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    [' x', '=?base64?IHg=?='],
    ['a\nb', '=?base64?YQpi?='],
    ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
  ])('encode a name that no header may have: %j', (name, encoded) => {
    expect(headersOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta } })).toMatchObject({ 'mcp-name': encoded });
  });

  it.each([
    [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: {} } }],
    [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta } }],
    [[{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }]],
  ])('are not made for %j', (message) => {
    expect(headersOf(message)).toBe(undefined);
  });
});
