import type { Clock, Signals, StoreCapacity } from '@longhaul/tasks';
import type { AnswerStore } from './answer-store.js';
import { MemoryAnswerStore } from './memory/answer-store.js';
import { type AnswerRedis, RedisAnswerStore } from './redis/answer-store.js';
import { MemoryClaimStore } from './memory/claim-store.js';
import type { ClaimStore } from './claim-store.js';
import { RedisClaimStore } from './redis/claim-store.js';
import { MemoryRateStore } from './memory/rate-store.js';
import type { RateStore } from './rate-store.js';
import { RedisRateStore } from './redis/rate-store.js';
import { MemoryOutcomeStore } from './memory/outcome-store.js';
import type { OutcomeStore } from './outcome-store.js';
import { RedisOutcomeStore } from './redis/outcome-store.js';
import { type GatewayKeys, gatewayKeys } from './redis/session-keys.js';
import { MemoryStreamStore } from './memory/stream-store.js';
import { RedisStreamStore, type StreamRedis } from './redis/stream-store.js';
import type { StreamStore } from './stream-store.js';
import { MemoryHeartbeats } from './memory/heartbeats.js';
import type { Heartbeats } from './cluster/presence.js';
import { type HeartbeatRedis, RedisHeartbeats } from './redis/heartbeats.js';
import { MemoryShownLists, RedisShownLists, type ShownLists, type ShownListsRedis } from './cluster/shown-lists.js';

/** What the gateways of a deployment share, beside tasks and sessions. */
export interface GatewayState {
  readonly streams: StreamStore;
  readonly claims: ClaimStore;
  readonly answers: AnswerStore;
  readonly heartbeats: Heartbeats;
  readonly shownLists: ShownLists;
  readonly rates: RateStore;
  readonly outcomes: OutcomeStore;
  readonly signals: Signals;
  /** The channel on which all gateways listen. */
  readonly controlChannel: string;
  /** The channel of one gateway. */
  readonly controlChannelOf: (gatewayId: string) => string;
}

/** The commands of Redis that it needs. */
export type GatewayRedis = StreamRedis & HeartbeatRedis & AnswerRedis & ShownListsRedis;

/** State in Redis, for any number of gateways. */
export function createRedisGatewayState({
  redis,
  keys,
  signals,
  capacity,
}: {
  readonly redis: GatewayRedis;
  readonly keys: GatewayKeys;
  readonly signals: Signals;
  readonly capacity: StoreCapacity;
}): GatewayState {
  return {
    streams: new RedisStreamStore({ redis, keys, signals, capacity }),
    claims: new RedisClaimStore(redis, keys),
    answers: new RedisAnswerStore({ redis, keys }),
    heartbeats: new RedisHeartbeats({ redis, keys }),
    shownLists: new RedisShownLists({ redis, keys }),
    rates: new RedisRateStore({ redis, keys }),
    outcomes: new RedisOutcomeStore({ redis, keys }),
    signals,
    controlChannel: keys.control,
    controlChannelOf: (gatewayId) => keys.controlOf(gatewayId),
  };
}

/** State of one process, gone with it. For tests and for running without Redis. */
export function createMemoryGatewayState({ clock, signals }: { readonly clock: Clock; readonly signals: Signals }): GatewayState {
  const keys = gatewayKeys('lh');
  return {
    streams: new MemoryStreamStore({ clock, signals }),
    claims: new MemoryClaimStore(clock),
    answers: new MemoryAnswerStore(clock),
    heartbeats: new MemoryHeartbeats(clock),
    shownLists: new MemoryShownLists(),
    rates: new MemoryRateStore(clock),
    outcomes: new MemoryOutcomeStore(clock),
    signals,
    controlChannel: keys.control,
    controlChannelOf: (gatewayId) => keys.controlOf(gatewayId),
  };
}
