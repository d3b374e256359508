/** Tests unknown callers: what they may share, and how one of them can be its own owner. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { initializeRequest, post, type RpcResponse } from '../../support/gateway/rpc.js';
import { testTools } from '../../support/gateway/tools.js';
import { KNOWS_TASKS, modernHeaders, send, withEnvelope } from '../../support/gateway-2026/rpc.js';
import { untilCompleted } from '../../support/gateway-2026/strangers.js';

const remembering = defineTool({
  name: 'remember',
  description: 'Keeps a text in the session, and answers with the one before',
  input: z.object({ text: z.string() }),
  task: 'optional',
  async run({ text }, context) {
    const before = await context.session.get('text');
    await context.session.set('text', text);
    return typeof before === 'string' ? before : 'nothing';
  },
});

const service = serviceForTests({ features: createFeatureRegistry([...testTools.features, remembering]) });

const secretOf = (name: string): Record<string, string> => ({ 'longhaul-caller-secret': `${name}-${'0123456789'.repeat(3)}` });

function ask(method: string, params: Record<string, unknown>, headers: Record<string, string> = {}) {
  const body = { jsonrpc: '2.0', id: 1, method, params: withEnvelope(params, { capabilities: KNOWS_TASKS }) };
  return send(service.app, body, { ...modernHeaders(method, params), ...headers });
}

const call = (key: string, headers?: Record<string, string>) =>
  ask('tools/call', { name: 'sleep', arguments: {}, _meta: { 'longhaul/idempotencyKey': key } }, headers);
const remember = async (text: string, headers?: Record<string, string>): Promise<unknown> => {
  const { body } = await ask('tools/call', { name: 'remember', arguments: { text } }, headers);
  return untilCompleted((taskId) => ask('tasks/get', { taskId }, headers), String(body.result?.['taskId']));
};

describe('an idempotency key', () => {
  it('of a caller whom nobody knows is refused: another one could guess it, and be given the task', async () => {
    const { body } = await call('order-17');

    expect(body.error).toEqual({
      code: -32602,
      message: expect.stringMatching(/^params\._meta\["longhaul\/idempotencyKey"\] is taken only from a caller that is known/) as string,
    });
  });

  it('of a caller with a secret gives the same task to that caller, and to no other one', async () => {
    const [first, again, other] = [
      await call('order-17', secretOf('ada')),
      await call('order-17', secretOf('ada')),
      await call('order-17', secretOf('bob')),
    ];
    const taskId = first.body.result?.['taskId'];

    expect(taskId).toBeDefined();
    expect(again.body.result?.['taskId']).toBe(taskId);
    expect(other.body.result?.['taskId']).not.toBe(taskId);
    expect(JSON.stringify(service.created)).not.toContain(secretOf('ada')['longhaul-caller-secret']);
  });
});

describe('a task of a caller with a secret', () => {
  it('is found by that caller only, even if another one knows its id', async () => {
    const { body } = await call('mine', secretOf('ada'));
    const taskId = String(body.result?.['taskId']);

    expect((await ask('tasks/get', { taskId }, secretOf('ada'))).body.result).toMatchObject({ taskId });
    for (const headers of [{}, secretOf('bob')])
      expect((await ask('tasks/get', { taskId }, headers)).body.error).toMatchObject({ code: -32602 });
  });
});

describe('a session of a caller with a secret', () => {
  const open = async (headers: Record<string, string>): Promise<Record<string, string>> => {
    const { headers: opened } = await post(service.app, initializeRequest(), headers);
    return { ...headers, 'mcp-session-id': String(opened['mcp-session-id']) };
  };
  const inSession = async (method: string, params: object, headers: Record<string, string>) =>
    (await post(service.app, { jsonrpc: '2.0', id: 1, method, params }, headers)).json<RpcResponse>();

  it('has the tasks of its earlier sessions, and is served to that caller only', async () => {
    const [first, second, other] = [await open(secretOf('eve')), await open(secretOf('eve')), await open(secretOf('mallory'))];
    const { result } = await inSession('tools/call', { name: 'sleep', arguments: {}, task: {} }, first);
    const { taskId } = (result?.['task'] ?? {}) as { taskId?: string };

    expect((await inSession('tasks/list', {}, second)).result).toMatchObject({ tasks: [{ taskId }] });
    expect((await inSession('tasks/list', {}, other)).result).toEqual({ tasks: [] });
    const { 'longhaul-caller-secret': _secret, ...stolen } = first;
    for (const headers of [stolen, { ...stolen, ...secretOf('mallory') }])
      expect((await post(service.app, { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).statusCode).toBe(404);
    await inSession('tasks/cancel', { taskId }, second);
  });
});

describe('a secret', () => {
  it.each(['short', 'x'.repeat(31), 'x'.repeat(513), 'with spaces that are not allowed at all'])(
    'that could be guessed, or is no text of a header, is refused: %.12s',
    async (secret) => {
      const { status, body } = await ask('tools/list', {}, { 'longhaul-caller-secret': secret });

      expect([status, body.error?.message]).toEqual([
        400,
        'Bad Request: longhaul-caller-secret must have 32 to 512 random letters, digits or any of . _ ~ + / = -',
      ]);
    },
  );
});

describe('the values of a session', () => {
  it('are those of one task where nobody knows the caller, and of all calls of a caller with a secret', async () => {
    expect([await remember('one'), await remember('two')]).toEqual(['nothing', 'nothing']);
    expect([await remember('one', secretOf('eve')), await remember('two', secretOf('eve'))]).toEqual(['nothing', 'one']);
  });
});
