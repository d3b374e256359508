import type { RedisClient } from '@longhaul/redis';
import type { Signals } from '@longhaul/sessions';
import type { Clock, StoreCapacity } from '@longhaul/tasks';
import type { AnswerStore } from '../answers/answer-store.js';
import { MemoryAnswerStore } from '../answers/memory-answer-store.js';
import { RedisAnswerStore } from '../answers/redis-answer-store.js';
import { MemoryClaimStore } from '../claims/memory-claim-store.js';
import type { ClaimStore } from '../claims/claim-store.js';
import { RedisClaimStore } from '../claims/redis-claim-store.js';
import { MemoryRateStore } from '../limits/memory-rate-store.js';
import type { RateStore } from '../limits/rate-store.js';
import { RedisRateStore } from '../limits/redis-rate-store.js';
import { MemoryOutcomeStore } from '../outcomes/memory-outcome-store.js';
import type { OutcomeStore } from '../outcomes/outcome-store.js';
import { RedisOutcomeStore } from '../outcomes/redis-outcome-store.js';
import { type GatewayKeys, gatewayKeys } from '../sessions/session-keys.js';
import { MemoryStreamStore } from '../streams/memory-stream-store.js';
import { RedisStreamStore } from '../streams/redis-stream-store.js';
import type { StreamStore } from '../streams/stream-store.js';
import { MemoryHeartbeats } from './memory-heartbeats.js';
import type { Heartbeats } from './presence.js';
import { RedisHeartbeats } from './redis-heartbeats.js';
import { MemoryShownLists, RedisShownLists, type ShownLists } from './shown-lists.js';

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

/** State in Redis, for any number of gateways. */
export function createRedisGatewayState({
  redis,
  keys,
  signals,
  capacity,
}: {
  readonly redis: RedisClient;
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
