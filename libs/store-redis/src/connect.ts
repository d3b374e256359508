import type { SessionLimits, Store } from '@longhaul/sessions';
import { sealedState } from '@longhaul/sessions/gateway';
import {
  createSessionNotifications,
  featureSignals,
  sealedHolds,
  sealedRecords,
  sealedReports,
  sealedSignals,
  SESSION_STATE_TTL_MS,
} from '@longhaul/sessions/store';
import { createRedisGatewayState } from './gateway/gateway-state.js';
import { connectRedisTasks, type RedisTasks, type RedisTasksOptions } from './tasks/tasks.js';
import { RedisAllotments } from './sessions/allotments.js';
import { RedisHolds } from './sessions/holds.js';
import { RedisOwnerRecords } from './sessions/owner-records.js';
import { RedisProcessReports } from './sessions/process-reports.js';
import { RedisSessionSlots } from './sessions/session-slots.js';
import { RedisSessionState } from './sessions/session-state.js';
import { RedisSignals } from './sessions/signals.js';
import { SessionKeys } from './keys/sessions.js';

/** Settings of `connectRedisStore`. */
export interface RedisStoreOptions extends RedisTasksOptions, SessionLimits {}

/** The whole store in Redis: one server or a cluster. */
export interface RedisStore extends Store, Pick<RedisTasks, 'redis'> {}

/**
 * Connects, and checks that the server is fit.
 *
 * @throws Error with one line that says what to do: the server does not answer or refuses, is older than Redis 7, may evict keys, or is a
 * cluster although `cluster` says otherwise, or the other way round.
 */
export async function connectRedisStore({ sessionTtlMs, accountSessionBytes, ...options }: RedisStoreOptions): Promise<RedisStore> {
  const { subscriptions, keys: taskKeys, ...tasks } = await connectRedisTasks(options);
  const { redis, capacity, codec } = tasks;
  const keys = new SessionKeys(taskKeys);
  const signals = new RedisSignals({ redis, subscriptions });
  const sealed = sealedSignals(signals, codec, options.onError);
  const sessions = {
    ownerRecords: sealedRecords(new RedisOwnerRecords({ redis, keys, capacity, maxAccountBytes: accountSessionBytes }), codec),
    processReports: sealedReports(new RedisProcessReports({ redis, keys }), codec),
    sessionSlots: new RedisSessionSlots({ redis, keys, idleMs: sessionTtlMs }),
    sessionState: new RedisSessionState({ redis, keys, ttlMs: sessionTtlMs, capacity, codec, maxAccountBytes: accountSessionBytes }),
    sessionNotifications: createSessionNotifications(sealed, keys),
    signals,
    featureSignals: featureSignals(sealed, taskKeys.prefix),
    allotments: new RedisAllotments({ redis, keys }),
    holds: sealedHolds(new RedisHolds({ redis, keys, capacity }), codec),
  };
  const sessionIdleMs = sessionTtlMs ?? SESSION_STATE_TTL_MS;
  const gateway = createRedisGatewayState({ redis, capacity, ...sessions }, { keyPrefix: taskKeys.prefix, sessionIdleMs });
  return { ...tasks, ...sessions, gateway: sealedState(gateway, codec) };
}
