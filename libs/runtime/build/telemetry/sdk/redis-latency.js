/** How long commands of Redis take, of a sample of them: a task takes dozens, and each that is measured costs some microseconds. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { COMMANDS } from '@longhaul/redis/commands';
/** By chance, so that what always comes in the same order is measured alike. */
const ONE_OF = 25;
/** They wait for others, so that their time says nothing of Redis. */
const WAITING = new Set([
    'bzpopmin',
    'bzpopmax',
    'blpop',
    'brpop',
    'blmove',
    'brpoplpush',
    'xread',
    'xreadgroup',
    'subscribe',
    'unsubscribe',
    'psubscribe',
    'wait',
]);
/** @returns what ends it */
export function watchRedis(metrics) {
    const known = new WeakSet();
    const onCommand = (message) => {
        if (Math.random() * ONE_OF >= 1)
            return;
        const command = message;
        if (WAITING.has(nameOf(command)) || known.has(command))
            return;
        known.add(command);
        const since = performance.now();
        const onEnd = (failed) => metrics.record('db.client.operation.duration', (performance.now() - since) / 1_000, {
            'db.system.name': 'redis',
            // A script may have been sent whole in place of its hash.
            'db.operation.name': nameOf(command),
            ...failed,
        });
        command.promise.then(() => onEnd({}), (error) => onEnd({ 'error.type': error instanceof Error ? error.name : '_OTHER' }));
    };
    subscribe(COMMANDS, onCommand);
    return () => void unsubscribe(COMMANDS, onCommand);
}
function nameOf({ name }) {
    return name.toLowerCase();
}
//# sourceMappingURL=redis-latency.js.map