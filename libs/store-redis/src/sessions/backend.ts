import { createSessionNotifications, sealedRecords, sealedSignals } from '@longhaul/sessions/store';
import type { Backend, SessionLimits } from '@longhaul/sessions';
import { connectRedisTasks, type RedisTasks, type RedisTasksOptions } from '../tasks/backend.js';
import { RedisOwnerRecords } from './owner-records.js';
import { RedisSessionPlaces } from './session-places.js';
import { RedisSessionState } from './session-state.js';
import { RedisSignals } from './signals.js';
import { SessionKeys } from './keys.js';

/** Settings of `connectRedisBackend`. */
export interface RedisBackendOptions extends RedisTasksOptions, SessionLimits {}

/** A backend on Redis. */
export interface RedisBackend extends Backend, Pick<RedisTasks, 'redis'> {}

/**
 * Connects, and checks that the server is fit.
 *
 * @throws Error with one line that says what to do: the server does not answer or refuses, is older than Redis 7, may evict keys,
 *   or is a cluster though `cluster` says otherwise, or the other way round.
 */
export async function connectRedisBackend({ sessionTtlMs, accountSessionBytes, ...options }: RedisBackendOptions): Promise<RedisBackend> {
  const { subscriptions, keys: taskKeys, ...tasks } = await connectRedisTasks(options);
  const { redis, capacity, codec } = tasks;
  const keys = new SessionKeys(taskKeys);
  const signals = new RedisSignals({ redis, subscriptions });
  return {
    ...tasks,
    ownerRecords: sealedRecords(new RedisOwnerRecords({ redis, keys, capacity, maxAccountBytes: accountSessionBytes }), codec),
    sessionPlaces: new RedisSessionPlaces({ redis, keys, idleMs: sessionTtlMs }),
    sessionState: new RedisSessionState({ redis, keys, ttlMs: sessionTtlMs, capacity, codec, maxAccountBytes: accountSessionBytes }),
    sessionNotifications: createSessionNotifications(sealedSignals(signals, codec, options.onError), keys),
    signals,
  };
}
