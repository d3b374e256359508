/**
 * Passes the payloads of the gateways' shared state through the codec: messages of event streams, answers of clients, results of calls.
 * They live for minutes, and are encrypted under the key of callers without a name, each with a key derived for its stream or call.
 */
import { ANONYMOUS_OWNER, type PayloadCodec, type Place, PLAIN } from '@longhaul/tasks';
import type { AskedRequest, ClientResponseStore } from './client-response-store.js';
import type { GatewayState } from './gateway-state.js';
import type { OutcomeStore } from './outcome-store.js';
import type { StreamName, StreamStore } from './stream-store.js';

export function sealedState(state: GatewayState, codec: PayloadCodec): GatewayState {
  if (codec === PLAIN) return state;
  const { streams, clientResponses, outcomes } = state;
  return {
    ...state,
    streams: sealedStreams(streams, codec),
    clientResponses: sealedResponses(clientResponses, codec),
    outcomes: sealedOutcomes(outcomes, codec),
  };
}

function sealedStreams(streams: StreamStore, codec: PayloadCodec): StreamStore {
  return {
    open: (stream) => streams.open(stream),
    takeOver: (request) => streams.takeOver(request),
    async append(stream, entry) {
      return streams.append(stream, { ...entry, json: await seal(codec, entry.json, streamPlace(stream)) });
    },
    settleOne: (stream, isExclusive) => streams.settleOne(stream, isExclusive),
    requestsOf: (stream) => streams.requestsOf(stream),
    bind: (stream, requests) => streams.bind(stream, requests),
    async read(stream, after) {
      const { entries, isFinished } = await streams.read(stream, after);
      const opened = entries.map(async ({ n, at, json }) => ({ n, at, json: await codec.open(json, streamPlace(stream)) }));
      return { entries: await Promise.all(opened), isFinished };
    },
    keep: (stream, leaseMs) => streams.keep(stream, leaseMs),
    leave: (stream) => streams.leave(stream),
    async noteCancelled(sessionId, requestId, { reason, ...rest }) {
      const place = cancellationPlace(sessionId, requestId);
      const sealed = reason === undefined ? {} : { reason: await seal(codec, reason, place) };
      await streams.noteCancelled(sessionId, requestId, { ...rest, ...sealed });
    },
    async cancellationOf(sessionId, requestId) {
      const noted = await streams.cancellationOf(sessionId, requestId);
      if (noted?.reason === undefined) return noted;
      return { ...noted, reason: await codec.open(noted.reason, cancellationPlace(sessionId, requestId)) };
    },
    watch: (stream, listener) => streams.watch(stream, listener),
  };
}

function sealedResponses(responses: ClientResponseStore, codec: PayloadCodec): ClientResponseStore {
  return {
    async put(asked, answer) {
      await responses.put(asked, await seal(codec, answer, responsePlace(asked)));
    },
    async take(asked) {
      const text = await responses.take(asked);
      return text === undefined ? undefined : codec.open(text, responsePlace(asked));
    },
  };
}

function sealedOutcomes(outcomes: OutcomeStore, codec: PayloadCodec): OutcomeStore {
  return {
    async begin(id, ttlMs) {
      const known = await outcomes.begin(id, ttlMs);
      // Empty while the call runs.
      return known === undefined || known === '' ? known : codec.open(known, outcomePlace(id));
    },
    async record(id, outcome) {
      await outcomes.record(id, await seal(codec, outcome, outcomePlace(id)));
    },
  };
}

async function seal(codec: PayloadCodec, text: string, place: Place): Promise<string> {
  return (await codec.sealFor(ANONYMOUS_OWNER))(text, place);
}

function streamPlace({ sessionId, streamId }: StreamName): Place {
  return { kind: 'stream', id: `${sessionId}/${streamId}`, field: 'message' };
}

function cancellationPlace(sessionId: string, requestId: string | number): Place {
  return { kind: 'stream', id: sessionId, field: `cancellation ${JSON.stringify(requestId)}` };
}

function responsePlace({ sessionId, requestId }: AskedRequest): Place {
  return { kind: 'response', id: sessionId, field: requestId };
}

function outcomePlace(id: string): Place {
  return { kind: 'outcome', id, field: 'outcome' };
}
