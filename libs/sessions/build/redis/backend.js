import { connectRedisTasks } from '@longhaul/tasks/redis';
import { sealedRecords } from '../at-rest/sealed-records.js';
import { sealedSignals } from '../at-rest/sealed-signals.js';
import { createSessionNotifications } from '../session-notifications.js';
import { RedisOwnerRecords } from './owner-records.js';
import { RedisSessionPlaces } from './session-places.js';
import { RedisSessionState } from './session-state.js';
import { RedisSignals } from './signals.js';
import { SessionKeys } from './keys.js';
/**
 * Connects, and checks that the server is fit.
 *
 * @throws Error with one line that says what to do: the server does not answer or refuses, is older than Redis 7, may evict keys,
 *   or is a cluster though `cluster` says otherwise, or the other way round.
 */
export async function connectRedisBackend({ sessionTtlMs, accountSessionBytes, ...options }) {
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
//# sourceMappingURL=backend.js.map