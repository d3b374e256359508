/** Tests fields of requests of sessions that are too long: the refusal names them, and never repeats them. */
import { FIELD_LIMITS } from '@longhaul/tasks';
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { startGateways } from '../../support/gateway/gateways.js';
import { complaintOf, everyKind, LONG_FIELDS, type LongField } from '../../support/gateway/long-fields.js';
import { initializeRequest, post, rpcSession, type RpcResponse, type RpcSession } from '../../support/gateway/rpc.js';

const { nameBytes, uriBytes, cursorBytes, idBytes, requestIdBytes, clientBytes } = FIELD_LIMITS;

let session: RpcSession;

const service = serviceForTests({ features: everyKind, settings: { bodyLimitBytes: 8 * 1024 * 1024 } });
beforeAll(async () => {
  session = await rpcSession(service.app);
});

const x = (bytes: number): string => 'x'.repeat(bytes);

/** The fields of only this version. */
const OF_SESSIONS: readonly LongField[] = [
  { method: 'tasks/list', params: { cursor: x(cursorBytes + 1) }, field: 'params.cursor', maxBytes: cursorBytes },
  { method: 'tasks/result', params: { taskId: x(idBytes + 1) }, field: 'params.taskId', maxBytes: idBytes },
  { method: 'logging/setLevel', params: { level: x(nameBytes + 1) }, field: 'params.level', maxBytes: nameBytes },
  ...['resources/subscribe', 'resources/unsubscribe'].map((method) => ({
    method,
    params: { uri: `any://${x(uriBytes + 1 - 'any://'.length)}` },
    field: 'params.uri',
    maxBytes: uriBytes,
  })),
];

describe('a field that is too long', () => {
  it.each([...LONG_FIELDS, ...OF_SESSIONS])('is refused by its name: $field of $method', async (field) => {
    const { error } = await session.call(field.method, { ...field.params });

    expect(error).toEqual({ code: -32602, message: complaintOf(field) });
  });

  it.each(['params.uri', 'params._meta.progressToken'])('is refused in the same way when it has millions: %s', async (field) => {
    const long = x(3_500_000);
    const { error } = await session.call('resources/read', {
      uri: 'any://a',
      ...(field === 'params.uri' ? { uri: long } : { _meta: { progressToken: long } }),
    });

    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/ has 3500000 bytes; at most \d+ are allowed$/) as string });
  });

  it('is taken at its limit', async () => {
    const _meta = { progressToken: x(256), 'longhaul/idempotencyKey': x(256) };
    expect((await session.call('tools/call', { name: 'later', _meta })).result).toMatchObject({ content: [{ text: 'done' }] });
    const uri = `any://${x(uriBytes - 'any://'.length - 3)}-b!`;
    expect((await session.call('resources/read', { uri })).result).toMatchObject({ contents: [{ uri, text: 'any' }] });
    expect((await session.call('tools/call', { name: x(256) })).error?.message).toBe(`Unknown tool: ${x(256)}`);
  });

  it('is refused in each message of a batch for itself', async () => {
    const { headers } = await rpcSession(service.app, '2025-03-26');
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: x(257) } },
      { jsonrpc: '2.0', id: x(257), method: 'ping' },
      { jsonrpc: '2.0', id: 3, method: 'ping' },
    ];
    const answers = (await post(service.app, batch, headers)).json<RpcResponse[]>();

    expect(new Map(answers.map(({ id, error }) => [id, error?.code]))).toEqual(
      new Map([
        [1, -32602],
        [null, -32600],
        [3, undefined],
      ]),
    );
  });
});

describe('the id of a request', () => {
  it('is refused when it is too long, in an answer without one', async () => {
    const response = await post(service.app, { jsonrpc: '2.0', id: x(requestIdBytes + 1), method: 'ping' }, session.headers);

    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'Invalid Request: "id" has 257 bytes; at most 256 are allowed' },
    });
  });

  it('is taken at its limit', async () => {
    const id = x(requestIdBytes);
    const response = await post(service.app, { jsonrpc: '2.0', id, method: 'ping' }, session.headers);

    expect(response.json()).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it('that answers no request of the server is passed over, however long it is', async () => {
    const response = await post(service.app, { jsonrpc: '2.0', id: x(3_500_000), result: {} }, session.headers);

    expect(response.statusCode).toBe(202);
  });
});

describe('what a client says of itself', () => {
  it.each([
    ['capabilities', { capabilities: { experimental: { x: { text: x(clientBytes) } } } }],
    ['name', { clientInfo: { name: x(clientBytes), version: '1' } }],
    ['version', { clientInfo: { name: 'test', version: x(clientBytes) } }],
  ])('is refused when it is too much to be recorded with each task: %s', async (_what, more) => {
    const request = initializeRequest();
    const response = await post(service.app, { ...request, params: { ...(request['params'] as object), ...more } });

    expect(response.headers).not.toHaveProperty('mcp-session-id');
    expect(response.json<RpcResponse>().error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        /^The JSON of params\.capabilities with name and version has \d+ bytes; at most 65536 are allowed$/,
      ) as string,
    });
  });
});

describe('the names of members that are wrong', () => {
  it('are cut in the error, and so is their number', async () => {
    const args = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}${x(2_000)}`, n]));
    const { error } = await session.call('prompts/get', { name: 'greeting', arguments: args });

    expect(error?.code).toBe(-32602);
    expect(Buffer.byteLength(error?.message ?? '')).toBeLessThan(20_000);
    expect(error?.message).toMatch(/; and 480 more$/);
  });
});

describe('the reason of a cancelled request', () => {
  it.each<[string, unknown, string | undefined]>([
    ['is cut when it is longer than its limit', x(10_000), `${x(1_024 - 3)}…`],
    ['is well-formed', '\ud800 timed out', '\ufffd timed out'],
    ['is nothing when it is empty', '', undefined],
    ['is nothing when it is no text', { text: 'timed out' }, undefined],
    ['is nothing when it is null', null, undefined],
  ])('%s', async (_what, reason, kept) => {
    const gateways = await startGateways();
    const { first } = gateways;
    const cancelling = await rpcSession(first.app);
    expect(await first.send(cancelling, { method: 'notifications/cancelled', params: { requestId: 'a', reason } })).toBe(202);
    const noted = await first.state.streams.cancellationOf(cancelling.id, 'a');
    await gateways.close();

    expect(noted).toEqual({ at: expect.any(Number) as number, ...(kept !== undefined && { reason: kept }) });
  });
});

describe('the id of a cancelled request', () => {
  it('is noted at its limit, and not when it is longer: such a request was never taken', async () => {
    const gateways = await startGateways();
    const { first } = gateways;
    const cancelling = await rpcSession(first.app);
    const [id, longId] = [x(requestIdBytes), x(requestIdBytes + 1)];
    for (const requestId of [longId, id])
      expect(await first.send(cancelling, { method: 'notifications/cancelled', params: { requestId } })).toBe(202);
    const noted = await Promise.all([id, longId].map((requestId) => first.state.streams.cancellationOf(cancelling.id, requestId)));
    await gateways.close();

    expect(noted).toEqual([{ at: expect.any(Number) as number }, undefined]);
  });
});
