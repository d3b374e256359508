import { hashOfRecord } from './hash-record.js';
/** Records that are read at once. */
const PAGE = 500;
/** Faults of a chain that are listed; all are counted. */
const MAX_LISTED = 100;
export async function verifyChain(log, chain, { keep, anchors = [] }) {
    const state = await log.state(chain);
    const own = anchors.filter((anchor) => anchor.chain === chain);
    const look = new Look(chain, state, { keep, anchors: own });
    while (look.at.number < state.head.number) {
        const [first, ...records] = await log.after(chain, look.at.number, PAGE);
        // Retention may have gone on since the look began.
        if (first === undefined || first.number > look.at.number + 1)
            look.startAgainAt(await log.state(chain));
        if (first === undefined)
            break;
        for (const record of [first, ...records])
            look.take(record);
    }
    look.end();
    const [last] = await log.before(chain, Number.MAX_SAFE_INTEGER, 1);
    const latest = await log.state(chain);
    const { head: now, base } = latest;
    look.holdBase(latest);
    if (last !== undefined && last.number > now.number)
        look.fault({ kind: 'extended', number: now.number + 1, to: last.number });
    return { chain, head: state.head, base, ...look.result };
}
class Look {
    chain;
    state;
    options;
    at;
    #checked = 0;
    #faults = [];
    #faultCount = 0;
    #outdated = 0;
    /** Up to where it has been said that records were removed. */
    #removedTo = 0;
    constructor(chain, state, options) {
        this.chain = chain;
        this.state = state;
        this.options = options;
        this.at = state.base;
        this.holdBase(state);
        const mayBeGone = this.#mayBeGone(state.head);
        for (const { number } of options.anchors)
            if (number < state.base.number && number <= mayBeGone)
                this.#outdated += 1;
        this.#hold(state.base);
    }
    get result() {
        return { checked: this.#checked, faults: this.#faults, faultCount: this.#faultCount, outdatedAnchors: this.#outdated };
    }
    /** Goes on behind a base that has moved since the look began. */
    startAgainAt(state) {
        this.holdBase(state);
        if (state.base.number > this.at.number)
            this.at = state.base;
    }
    /** The base is what the store says of retention, so it is believed as far as retention goes. */
    holdBase({ head, base }) {
        const kept = Math.max(this.#mayBeGone(head), this.#removedTo);
        if (base.number <= kept)
            return;
        this.fault({ kind: 'removed', number: kept + 1, to: base.number });
        this.#removedTo = base.number;
    }
    take(record) {
        if (record.number <= this.at.number || record.number > this.state.head.number)
            return;
        if (record.number > this.at.number + 1)
            this.fault({ kind: 'missing', number: this.at.number + 1, to: record.number - 1 });
        else if (hashOfRecord(this.chain, this.at, record.text) !== record.hash)
            this.fault({ kind: 'changed', number: record.number });
        this.#checked += 1;
        this.at = record;
        this.#hold(record);
    }
    end() {
        const { head } = this.state;
        if (this.at.number < head.number)
            this.fault({ kind: 'truncated', number: this.at.number + 1, to: head.number });
        else if (this.at.hash !== head.hash)
            this.fault({ kind: 'changed', number: head.number });
        for (const { number } of this.options.anchors)
            if (number > head.number)
                this.fault({ kind: 'truncated', number: head.number + 1, to: number });
    }
    fault(found) {
        this.#faultCount += 1;
        if (this.#faults.length < MAX_LISTED)
            this.#faults.push(found);
    }
    /** The last record that retention may have removed: all behind it are kept, or were gone already when an anchor was taken. */
    #mayBeGone(head) {
        const { keep, anchors } = this.options;
        return Math.max(0, head.number - keep, ...anchors.map(({ base }) => base?.number ?? 0));
    }
    /** Holds anchors against a record. */
    #hold({ number, hash }) {
        for (const anchor of this.options.anchors)
            if (anchor.number === number && anchor.hash !== hash)
                this.fault({ kind: 'replaced', number });
    }
}
//# sourceMappingURL=verify-chain.js.map