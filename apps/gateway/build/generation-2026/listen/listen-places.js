/** How many streams of `subscriptions/listen` this process has open, and whose they are: nobody takes the places of all others. */
import { refusalOf, tooManyListenStreams } from '../../rpc/errors.js';
/** Streams of all callers. */
const MAX_STREAMS = 1_024;
export class ListenPlaces {
    shareOf;
    most;
    #taken = new Map();
    #all = 0;
    /** @param shareOf streams of an account */
    constructor(shareOf, most = MAX_STREAMS) {
        this.shareOf = shareOf;
        this.most = most;
    }
    /**
     * Takes a place for a stream.
     *
     * @param account whose it is: a caller that is known, or the address of one that is not
     * @returns what gives it back; further calls do nothing
     * @throws Refusal 429 when the account has its share, 503 when all places are taken
     */
    take(account) {
        const taken = this.#taken.get(account) ?? 0;
        if (this.#all >= this.most)
            throw refusalOf(tooManyListenStreams(this.most, 'gateway'));
        const share = this.shareOf(account);
        if (taken >= share)
            throw refusalOf(tooManyListenStreams(share, 'owner'));
        this.#taken.set(account, taken + 1);
        this.#all += 1;
        let isTaken = true;
        return () => {
            if (isTaken)
                this.#release(account);
            isTaken = false;
        };
    }
    #release(account) {
        this.#all -= 1;
        const left = (this.#taken.get(account) ?? 0) - 1;
        if (left > 0)
            this.#taken.set(account, left);
        else
            this.#taken.delete(account);
    }
}
//# sourceMappingURL=listen-places.js.map