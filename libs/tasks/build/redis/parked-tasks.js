import { groupNamed } from '../ports/parked-tasks.js';
import { definePublish, defineScript } from '@longhaul/redis';
import { PARK, PARKED_GROUPS, TAKE_PARKED } from './scripts/parked-tasks.js';
import { whileReachable } from './store-fault.js';
/** `ParkedTasks` on Redis: a hash of what is known of each, and a sorted set in the order of their groups. */
export class RedisParkedTasks {
    #park;
    #groups;
    #take;
    #keys;
    #publish;
    #subscriptions;
    #channel;
    constructor({ redis, keys, subscriptions }) {
        this.#park = defineScript(redis, PARK);
        this.#groups = defineScript(redis, PARKED_GROUPS);
        this.#take = defineScript(redis, TAKE_PARKED);
        this.#keys = { tasks: keys.parkedTasks(), order: keys.parkedOrder() };
        this.#publish = definePublish(redis);
        this.#subscriptions = subscriptions;
        this.#channel = keys.parked();
    }
    async park({ taskId, pass, lane, ...given }) {
        const json = JSON.stringify({ pass, lane, ...stored(given) });
        const group = await whileReachable(() => this.#park(this.#keys, { taskId, json }));
        await whileReachable(() => this.#publish(this.#channel, group));
    }
    async groups() {
        return (await whileReachable(() => this.#groups(this.#keys, {}))).map(groupNamed);
    }
    async take({ name }, limit, parkedForMs = 0) {
        const reply = await whileReachable(() => this.#take(this.#keys, { group: name, limit, parkedForMs }));
        const taken = [];
        for (let index = 0; index + 1 < reply.length; index += 2) {
            const { pass, lane, ...given } = JSON.parse(reply[index + 1] ?? '');
            taken.push({ taskId: reply[index], pass, ...(lane !== undefined && { lane }), ...stored(given) });
        }
        return taken;
    }
    onParked(listener) {
        const add = () => this.#subscriptions.add(this.#channel, (name) => listener(name === undefined ? undefined : groupNamed(name)));
        return whileReachable(add);
    }
}
/** Member by member: the caller's object, and the entry in Redis, may hold more. */
function stored({ tool, asked, attemptSince, times, misfit, lostEpoch, lost }) {
    const optional = {
        ...(misfit !== undefined && { misfit }),
        ...(lostEpoch !== undefined && { lostEpoch }),
        ...(lost === true && { lost }),
    };
    return { tool, asked, attemptSince, times, ...optional };
}
//# sourceMappingURL=parked-tasks.js.map