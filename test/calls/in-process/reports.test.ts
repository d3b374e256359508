/** Tests the messages that features in a gateway send their client during a call: progress and log messages. */
import { beforeEach, describe, expect, it } from 'vitest';
import { messagesOf } from '../../support/event-stream.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { lateContexts, reportingFeatures } from '../../support/gateway/reporting-features.js';
import { post, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

let session: RpcSession;

const service = serviceForTests({ features: reportingFeatures });
beforeEach(async () => {
  session = await rpcSession(service.app);
});

const KINDS: { kind: string; request: (what: string) => { method: string; params: object } }[] = [
  { kind: 'tool', request: (what) => ({ method: 'tools/call', params: { name: 'report', arguments: { what } } }) },
  { kind: 'prompt', request: (what) => ({ method: 'prompts/get', params: { name: 'report', arguments: { what } } }) },
  { kind: 'resource', request: (what) => ({ method: 'resources/read', params: { uri: `report://${what}` } }) },
];

/** Everything that the request is answered with, in its order. */
async function answersTo({ method, params }: { method: string; params: object }, meta: object = {}): Promise<Record<string, unknown>[]> {
  const response = await post(service.app, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, session.headers);
  return String(response.headers['content-type']).startsWith('application/json')
    ? [response.json<Record<string, unknown>>()]
    : messagesOf(response.body);
}

const levelsOf = (messages: Record<string, unknown>[]): unknown[] =>
  messages.flatMap(({ method, params }) => (method === 'notifications/message' ? [(params as { level: string }).level] : []));

describe.each(KINDS)('a $kind', ({ request }) => {
  it.each(['a text', 7])('sends progress under the token %j of its request, as long as it rises', async (progressToken) => {
    const messages = await answersTo(request('progress'), { progressToken });

    expect(messages.slice(0, -1)).toEqual(
      [
        { progress: 10, total: 100 },
        { progress: 50, message: 'half' },
        { progress: 100, total: 100 },
      ].map((report) => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...report } })),
    );
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('sends no progress without a token', async () => {
    expect(await answersTo(request('progress'))).toMatchObject([{ id: 1, result: {} }]);
  });

  it('sends log messages of info and above', async () => {
    expect(levelsOf(await answersTo(request('levels')))).toEqual([
      'info',
      'notice',
      'warning',
      'warning',
      'error',
      'critical',
      'alert',
      'emergency',
    ]);
  });

  it('sends log messages of the level that the session has set, and above', async () => {
    await session.call('logging/setLevel', { level: 'alert' });
    expect(levelsOf(await answersTo(request('levels')))).toEqual(['alert', 'emergency']);
    await session.call('logging/setLevel', { level: 'debug' });
    expect(levelsOf(await answersTo(request('levels')))).toHaveLength(9);
  });

  it('sends any JSON with the name of its logger, and that an elicitation is complete', async () => {
    expect(await answersTo(request('data'))).toMatchObject([
      { method: 'notifications/message', params: { level: 'info', data: { nested: [1, null, true] }, logger: 'reporter' } },
      { method: 'notifications/message', params: { level: 'error', data: 'a text' } },
      { method: 'notifications/message', params: { level: 'error', data: null } },
      { method: 'notifications/elicitation/complete', params: { elicitationId: 'e-1' } },
      { id: 1, result: {} },
    ]);
  });
});

describe('a level', () => {
  it('is that of its session only', async () => {
    const other = await rpcSession(service.app);
    await other.call('logging/setLevel', { level: 'emergency' });

    expect(levelsOf(await answersTo({ method: 'tools/call', params: { name: 'report', arguments: { what: 'levels' } } }))).toHaveLength(8);
  });
});

describe('what is reported when the request has been answered', () => {
  it('goes nowhere, and a question to the client fails', async () => {
    await answersTo({ method: 'tools/call', params: { name: 'late' } }, { progressToken: 1 });
    const context = lateContexts.at(-1);
    context?.progress(100);
    context?.info('too late');
    context?.closeStream();

    await expect(context?.roots()).rejects.toThrow('The call has ended before the client has answered roots/list.');
    expect(await answersTo({ method: 'tools/call', params: { name: 'late' } })).toHaveLength(1);
  });
});
