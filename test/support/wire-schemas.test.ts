import { describe, expect, it } from 'vitest';
import { checkAnswers } from './wire-schemas.js';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };
const modern = { ...call, params: { ...call.params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } };
const answer = (result: object, id: number | null = 1): object => ({ jsonrpc: '2.0', id, result });
const task = { taskId: 'a', status: 'working', createdAt: 'now', lastUpdatedAt: 'now', ttlMs: 1 };

describe('an answer that does not fit its schema', () => {
  it.each<[string, object, object, RegExp]>([
    ['of a tool', call, answer({ content: [{ type: 'text' }] }), /tools\/call is no CallToolResult[^]*\/content\/0 [^]*"text"/],
    ['that is a task', call, answer({ task: { taskId: 'a' } }), /tools\/call is no CreateTaskResult[^]*\/task [^]*createdAt/],
    ['without a type', modern, answer({ content: [] }), /no JSONRPCResultResponse of 2026-07-28[^]*resultType/],
    ['that is a task of the extension', modern, answer({ ...task, resultType: 'task', ttlMs: 'x' }), /CreateTaskResult[^]*\/ttlMs [^]*"x"/],
    [
      'that asks for nothing known',
      modern,
      answer({ resultType: 'input_required', inputRequests: { a: { method: 'x' } } }),
      /\/inputRequests\/a/,
    ],
    ['that is no response', call, { jsonrpc: '2.0', id: {}, result: {} }, /\/id must be/],
    [
      'that is an error without a code',
      call,
      { jsonrpc: '2.0', id: null, error: { message: 'x' } },
      /error is no JSONRPCErrorResponse[^]*code/,
    ],
    ['with a notification that there is not', call, { jsonrpc: '2.0', method: 'notifications/none' }, /no message "notifications\/none"/],
    ['with a question', modern, { jsonrpc: '2.0', id: 1, method: 'roots/list' }, /no requests of the server/],
    [
      'with a task that ended in no result of a tool',
      modern,
      { jsonrpc: '2.0', method: 'notifications/tasks', params: { ...task, status: 'completed', result: {} } },
      /notifications\/tasks, result is no CallToolResult/,
    ],
  ])('%s is refused', (_title, asked, message, reason) => {
    expect(() => checkAnswers({ body: asked }, [message])).toThrow(reason);
  });
});

describe('an answer that fits', () => {
  it.each<[string, object | undefined, object]>([
    ['of a tool', call, answer({ content: [{ type: 'text', text: 'x' }], structuredContent: { n: 1.5, nothing: null } })],
    ['of a tool, in the other revision', modern, answer({ resultType: 'complete', content: [] })],
    ['of an empty request', { ...call, method: 'ping' }, answer({})],
    ['to an unknown request', undefined, answer({ anything: true })],
    ['that is an error for nobody', call, { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'x' } }],
  ])('%s is taken', (_title, body, message) => {
    expect(() => checkAnswers({ body }, [message])).not.toThrow();
  });
});
