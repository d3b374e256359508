import { Semaphore } from '@longhaul/runtime/semaphore';
/** A semaphore for each account, so that who waits does so behind callers of the same account alone. */
export class KeyedSemaphore {
    atOnce;
    /** Of the accounts that have somebody inside. */
    #places = new Map();
    constructor(atOnce) {
        this.atOnce = atOnce;
    }
    /** @returns what ends it, to be called once */
    async enter(account) {
        const places = this.#places.get(account) ?? { semaphore: new Semaphore(this.atOnce), present: 0 };
        this.#places.set(account, places);
        places.present += 1;
        const leave = await places.semaphore.enter();
        return () => {
            leave();
            places.present -= 1;
            if (places.present === 0)
                this.#places.delete(account);
        };
    }
}
//# sourceMappingURL=keyed-semaphore.js.map