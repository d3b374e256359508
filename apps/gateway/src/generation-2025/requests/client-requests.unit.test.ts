import { openMemoryStore } from '@longhaul/store-sqlite';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRequestIds } from '../wire/request-ids.js';
import { createKeyRing } from '@longhaul/runtime/keys';
import { createSigner } from '../wire/signer.js';
import { sessionCallWith } from '../session-call.fixture.js';
import type { Pushed } from '../../rpc/method.js';
import type { SessionScope } from './session-call.js';
import { OpenRequest } from './open-request.js';
import { ClientRequests } from './client-requests.js';

const GATEWAY = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const LOOK_EVERY_MS = 5_000;

beforeEach(() => {
  // Looks are intervals. Other files of the process may have left time-outs.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const logger = pino({ level: 'silent' });

/** Two gateways on one store, and the gateways that were notified. */
function gateways() {
  const clientResponses = openMemoryStore().gateway.clientResponses;
  const ids = createRequestIds(createSigner(createKeyRing('a secret of the tests')));
  const notified: string[] = [];
  const control = { publishTo: async (gatewayId: string) => void notified.push(gatewayId) };
  const start = (gatewayId: string): ClientRequests => new ClientRequests({ gatewayId, ids, clientResponses, control, logger });
  return { asking: start(GATEWAY), other: start(OTHER), clientResponses, notified };
}

/** A call whose end the test controls. */
async function openCall() {
  const call = sessionCallWith();
  const pushed: Pushed[] = [];
  const request = new OpenRequest(1, {
    holder: call.scope.stream.holder,
    bind: () => undefined,
    takesMessages: true,
    hasSent: () => false,
    push: (message) => void pushed.push(message as Pushed),
    answer: () => undefined,
    withdraw: () => undefined,
    sendElsewhere: () => undefined,
  });
  const { promise: scope, resolve } = Promise.withResolvers<SessionScope>();
  const end = Promise.withResolvers<Result>();
  void request.run((opened) => {
    resolve(opened);
    return end.promise;
  }, logger);
  return { pushed, request, end: () => end.resolve({}), call: { ...call, scope: await scope } };
}

const roots = { method: 'roots/list', params: {} };

describe('a request to the client', () => {
  it('gets the answer that arrives at its gateway', async () => {
    const { asking, notified } = gateways();
    const { call, pushed } = await openCall();
    const answered = asking.send(call, roots);
    expect(await asking.receive(pushed[0]?.id ?? '', { result: { roots: [] } }, 's')).toBe(true);

    expect(await answered).toEqual({ roots: [] });
    expect(notified).toEqual([]);
  });

  it('gets the answer that arrives at another gateway, which says so to the one that waits', async () => {
    const { asking, other, notified } = gateways();
    const { call, pushed } = await openCall();
    const id = () => pushed[0]?.id ?? '';
    const answered = asking.send(call, roots);
    expect(await other.receive(id(), { result: { roots: [] } }, 's')).toBe(true);
    expect(notified).toEqual([GATEWAY]);
    await asking.look(id());

    expect(await answered).toEqual({ roots: [] });
  });

  it('finds the answer at the next look when that message is lost', async () => {
    const { asking, other } = gateways();
    const { call, pushed } = await openCall();
    const answered = asking.send(call, roots);
    await other.receive(pushed[0]?.id ?? '', { error: { code: -1, message: 'no' } }, 's');
    const expected = expect(answered).rejects.toMatchObject({ code: 'INPUT_FAILED', message: 'no' });
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);

    await expected;
  });

  it('gets the first of several answers', async () => {
    const { asking, other, clientResponses } = gateways();
    const { call, pushed } = await openCall();
    const requestId = () => pushed[0]?.id ?? '';
    const answered = asking.send(call, roots);
    for (const uri of ['file:///first', 'file:///second']) await other.receive(requestId(), { result: { roots: [{ uri }] } }, 's');
    await asking.look(requestId());

    expect(await answered).toEqual({ roots: [{ uri: 'file:///first' }] });
    expect(await clientResponses.take({ sessionId: 's', requestId: requestId() })).toBeUndefined();
  });

  it.each<[string, (call: Awaited<ReturnType<typeof openCall>>) => void, string]>([
    ['is cancelled', ({ request }) => request.cancel({ at: 0 }), 'This operation was aborted'],
    ['is answered without it', ({ end }) => end(), 'The call has ended before'],
  ])('has failed when its call %s, and a late answer is not taken', async (_title, end, message) => {
    const { asking } = gateways();
    const opened = await openCall();
    const rejected = expect(asking.send(opened.call, roots)).rejects.toThrow(message);
    end(opened);
    await rejected;

    expect(await asking.receive(opened.pushed[0]?.id ?? '', { result: { roots: [] } }, 's')).toBe(false);
  });

  it('is not sent when its call has ended', async () => {
    const { asking } = gateways();
    const { call, request } = await openCall();
    request.close();

    await expect(asking.send(call, roots)).rejects.toThrow('This operation was aborted');
  });

  it('can be answered by its session only', async () => {
    const { asking } = gateways();
    const { call, pushed, request } = await openCall();
    const rejected = expect(asking.send(call, roots)).rejects.toThrow();

    expect(await asking.receive(pushed[0]?.id ?? '', { result: { roots: [] } }, 'another session')).toBe(false);
    request.cancel({ at: 0 });
    await rejected;
  });
});
