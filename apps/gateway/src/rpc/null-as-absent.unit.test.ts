import { describe, expect, it } from 'vitest';
import { withoutNulls } from './null-as-absent.js';

const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('a member that is null', () => {
  it.each<[string, unknown, unknown]>([
    ['the params', { ...list, params: null }, list],
    ['a cursor', { ...list, params: { cursor: null } }, { ...list, params: {} }],
    ['arguments, a task and metadata', call({ name: 'a', arguments: null, task: null, _meta: null }), call({ name: 'a' })],
    ['a token of progress', call({ name: 'a', _meta: { progressToken: null } }), call({ name: 'a', _meta: {} })],
    ['what is known of metadata', call({ _meta: { 'io.modelcontextprotocol/logLevel': null } }), call({ _meta: {} })],
    [
      'a capability, and a part of one',
      { ...list, method: 'initialize', params: { capabilities: { roots: null, elicitation: { form: {}, url: null } } } },
      { ...list, method: 'initialize', params: { capabilities: { elicitation: { form: {} } } } },
    ],
    [
      'an argument of a prompt, which is a text',
      { ...list, method: 'prompts/get', params: { name: 'a', arguments: { city: null } } },
      { ...list, method: 'prompts/get', params: { name: 'a', arguments: {} } },
    ],
    ['the error beside a result', { id: 1, result: {}, error: null }, { id: 1, result: {} }],
    ['the result beside an error', { id: 1, result: null, error: { code: 1 } }, { id: 1, error: { code: 1 } }],
    [
      'the content of a form that was declined',
      { id: 1, result: { action: 'decline', content: null } },
      { id: 1, result: { action: 'decline' } },
    ],
    [
      'what a block of content leaves out',
      { id: 1, result: { content: [{ type: 'text', text: 'a', annotations: null }] } },
      { id: 1, result: { content: [{ type: 'text', text: 'a' }] } },
    ],
    ['the id of a notification', { id: null, method: 'notifications/initialized' }, { method: 'notifications/initialized' }],
    ['one in a message of a batch', [{ ...list, params: null }], [list]],
  ])('is absent: %s', (_title, sent, taken) => {
    expect(withoutNulls(sent)).toEqual(taken);
    expect(JSON.stringify(withoutNulls(sent))).toBe(JSON.stringify(taken));
  });

  it.each<[string, unknown]>([
    ['in the arguments of a tool', call({ name: 'a', arguments: { city: null, deep: { of: null } } })],
    ['as the longest time to live', call({ name: 'a', task: { ttl: null } })],
    ['in the metadata of others', call({ _meta: { 'com.example/a': null, 'com.example/b': { c: null } } })],
    ['in the data of an error', { id: 1, error: { code: 1, message: 'a', data: null } }],
    ['in the place of an answer', { id: 1, method: 'tasks/update', params: { inputResponses: { key: null } } }],
    ['as an item of a list', { id: 1, result: { values: ['a', null] } }],
    ['as the id of a request, which is refused', { id: null, method: 'ping' }],
    ['as a result without an error, which is refused', { id: 1, result: null }],
    ['in what tools are called with', { id: 1, result: { content: [{ type: 'tool_use', input: { a: null } }] } }],
  ])('stays: %s', (_title, sent) => {
    expect(withoutNulls(structuredClone(sent))).toEqual(sent);
  });

  it('is nothing to look for in what is no message', () => {
    for (const body of [null, 'null', 7, [null, [null]]]) expect(withoutNulls(structuredClone(body))).toEqual(body);
  });
});
