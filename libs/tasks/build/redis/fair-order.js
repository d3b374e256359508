/**
 * One worker's part in keeping the order of waiting jobs fair (`scripts/fair-order.ts`). A worker looks while all of its slots
 * are taken, because only then may jobs have to wait; when it has asked for a job in vain, because others may have put into line
 * what it has room for; when it knows that some stand in line, whenever it takes or ends a job; and otherwise from time to time,
 * for what a worker left behind that is gone.
 */
import { defineScript } from '@longhaul/redis';
import { KEEP_FAIR, KEEP_WEIGHTS } from './scripts/fair-order.js';
/** How often a worker looks whose slots are all taken, and how often any worker does. */
const BUSY_MS = 250;
const IDLE_MS = 1_000;
/** How soon a worker looks again that has found no job. */
const RAN_OUT_MS = 50;
/** Weights are written anew, should they be lost. */
const WEIGHTS_MS = 60_000;
/** So many jobs cost Redis about 3 ms. */
const AT_ONCE = 500;
/** Keeps it so from `start` to `stop`. */
export class FairOrder {
    options;
    #keepFair;
    #keepWeights;
    #written;
    #isOpen = false;
    #isLooking = false;
    #isAsked = false;
    /** Whether jobs stood in line at the last look. */
    #isLine = false;
    #lookedAt = 0;
    #timer;
    #soon;
    constructor(options) {
        this.options = options;
        this.#keepFair = defineScript(options.redis, KEEP_FAIR);
        this.#keepWeights = defineScript(options.redis, KEEP_WEIGHTS);
    }
    start() {
        this.#isOpen = true;
        this.#timer = setInterval(() => this.#lookIfDue(), BUSY_MS).unref();
        this.#look();
    }
    stop() {
        this.#isOpen = false;
        clearInterval(this.#timer);
        clearTimeout(this.#soon);
    }
    /** The worker has taken a job, or one has ended. */
    changed() {
        if (this.#isLine)
            this.#look();
        else
            this.#lookIfDue();
    }
    /** The worker has asked for a job, and there was none. */
    ranOut() {
        if (!this.#isOpen || this.#soon !== undefined)
            return;
        const lookSoon = () => {
            this.#soon = undefined;
            this.#look();
        };
        // At light load it runs out with each job.
        this.#soon = setTimeout(lookSoon, Math.max(0, this.#lookedAt + RAN_OUT_MS - performance.now())).unref();
    }
    #lookIfDue() {
        if (performance.now() - this.#lookedAt >= (this.options.isBusy() ? BUSY_MS : IDLE_MS))
            this.#look();
    }
    /** Once more if it is asked for meanwhile, and no more than that. */
    #look() {
        this.#isAsked = true;
        if (this.#isLooking)
            return;
        this.#isLooking = true;
        void this.#lookWhileAsked();
    }
    async #lookWhileAsked() {
        while (this.#isAsked && this.#isOpen) {
            this.#isAsked = false;
            this.#lookedAt = performance.now();
            try {
                const { isLine, isMore } = await this.#order();
                this.#isLine = isLine;
                this.#isAsked ||= isMore;
            }
            catch (error) {
                // The next look does it. What has no line now may have one then.
                if (this.#isOpen)
                    this.options.onError(error);
            }
        }
        this.#isLooking = false;
    }
    async #order() {
        const { queueKey, room } = this.options;
        const rules = this.options.rules();
        await this.#writeWeights(rules);
        const { linePrefix, ...keys } = this.options.keys;
        const names = {
            waiting: `${queueKey}:wait`,
            active: `${queueKey}:active`,
            marker: `${queueKey}:marker`,
            ...keys,
        };
        return this.#keepFair(names, { jobPrefix: `${queueKey}:`, linePrefix, slots: room(), atOnce: AT_ONCE, weight: rules.weight });
    }
    async #writeWeights(rules) {
        const now = performance.now();
        if (this.#written?.rules === rules && now - this.#written.at < WEIGHTS_MS)
            return;
        await this.#keepWeights({ weights: this.options.keys.weights }, {}, [...rules.weights].flat());
        this.#written = { rules, at: now };
    }
}
//# sourceMappingURL=fair-order.js.map