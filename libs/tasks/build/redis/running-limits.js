/** Keeps to how many jobs of one queue may run at once (`scripts/running-limits.ts`). A job without a limit costs nothing. */
import { defineScript } from '@longhaul/redis';
import { rankOf } from '../ports/lane-rules.js';
import { groupOf } from '../write/lane.js';
import { QUEUE_NAME } from './bullmq-settings.js';
import { COUNT_IN, COUNT_OUT } from './scripts/running-limits.js';
/** How often is looked for jobs that somebody else left held back. */
const LOOK_MS = 1_000;
/** Jobs that are put back at once. */
const AT_ONCE = 500;
/** Where a limit is no more. */
const ANY = 2 ** 31;
const OF_GROUP = 'lane:';
const OF_TOOL = 'tool:';
/** The limits of what a job is counted for. */
export function limitsOf({ lane, tool }, rules) {
    const names = [...(lane === undefined ? [] : [`${OF_GROUP}${groupOf(lane)}`]), ...(tool === undefined ? [] : [`${OF_TOOL}${tool}`])];
    return names.flatMap((name) => {
        const most = mostOf(name, rules);
        return most === undefined ? [] : [[name, most]];
    });
}
/** Those of one queue, from `start` to `stop`. */
export class RunningLimits {
    deps;
    #countIn;
    #countOut;
    #queueKey;
    #keys;
    #timer;
    constructor(deps) {
        this.deps = deps;
        const { redis, keys, queue } = deps;
        this.#countIn = defineScript(redis, COUNT_IN);
        this.#countOut = defineScript(redis, COUNT_OUT);
        this.#queueKey = `${keys.queuePrefix(queue)}:${QUEUE_NAME}`;
        this.#keys = keys.runningLimits(queue);
    }
    start() {
        this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
    }
    stop() {
        clearInterval(this.#timer);
    }
    /** Whether the job may run now; otherwise it is held back until it may, unless the worker has lost it. */
    countIn({ jobId, token, priority }, limits) {
        const { held, runningPrefix, heldPrefix } = this.#keys;
        const names = { waiting: `${this.#queueKey}:wait`, active: `${this.#queueKey}:active`, stalled: `${this.#queueKey}:stalled`, held };
        const prefixes = { jobPrefix: `${this.#queueKey}:`, runningPrefix, heldPrefix };
        return this.#countIn(names, { jobId, token, ...prefixes, rank: rankOf(priority) }, limits.flat());
    }
    /** The handler of a job has ended that was counted in: others may run. */
    countOut({ jobId, token }, limits) {
        return this.#putBack(jobId, token, limits);
    }
    async #putBack(jobId, token, limits) {
        const { held, runningPrefix, heldPrefix } = this.#keys;
        const names = { waiting: `${this.#queueKey}:wait`, marker: `${this.#queueKey}:marker`, held };
        const prefixes = { jobPrefix: `${this.#queueKey}:`, runningPrefix, heldPrefix };
        try {
            await this.#countOut(names, { jobId, token, ...prefixes, atOnce: AT_ONCE }, limits.flat());
        }
        catch (error) {
            // The next look does it.
            this.deps.onError(error);
        }
    }
    async #look() {
        try {
            const names = await this.deps.redis.smembers(this.#keys.held);
            if (names.length === 0)
                return;
            const rules = this.deps.rules();
            await this.#putBack('', '', names.map((name) => [name, mostOf(name, rules) ?? ANY]));
        }
        catch (error) {
            this.deps.onError(error);
        }
    }
}
function mostOf(name, rules) {
    return name.startsWith(OF_TOOL) ? rules.maxRunningOfTool(name.slice(OF_TOOL.length)) : rules.maxRunning(name.slice(OF_GROUP.length));
}
//# sourceMappingURL=running-limits.js.map