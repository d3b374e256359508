/** Lines of several lanes, from which items are taken in turn: as the queue on Redis does it (`redis/scripts/fair-order.ts`). */
import { weightOf } from '../ports/lane-rules.js';
import { groupOf } from '../write/lane.js';
export class FairLines {
    #lines = new Map();
    /** The turn that was taken last. */
    #turn = 0;
    /** @param rank from 1 for what comes before other items of the lane to -1 */
    push(lane, item, rules, rank = 0) {
        let line = this.#lines.get(lane);
        if (line === undefined) {
            line = { lane, turn: 0, items: [] };
            this.#lines.set(lane, line);
            line.turn = this.#turn + this.#step(lane, rules);
        }
        const behind = line.items.findIndex((other) => other.rank < rank);
        line.items.splice(behind < 0 ? line.items.length : behind, 0, { item, rank });
    }
    /** @param mayTake whether the item is not over a limit now; otherwise it stays, and the next one is looked at */
    take(rules, mayTake) {
        for (const line of [...this.#lines.values()].toSorted((a, b) => a.turn - b.turn)) {
            const at = line.items.findIndex(({ item }) => mayTake(item, line.lane));
            if (line.items.length > 0 && at < 0)
                continue;
            this.#turn = Math.max(this.#turn, line.turn);
            // An empty one kept its place until now, so that nobody gains by coming one at a time.
            if (line.items.length === 0) {
                this.#lines.delete(line.lane);
                continue;
            }
            line.turn = this.#turn + this.#step(line.lane, rules);
            return line.items.splice(at, 1)[0]?.item;
        }
        return undefined;
    }
    /** All that stand in line, in no order. */
    items() {
        return [...this.#lines.values()].flatMap(({ items }) => items.map(({ item }) => item));
    }
    clear() {
        this.#lines.clear();
    }
    /** What is between two turns of a lane. */
    #step(lane, rules) {
        const group = groupOf(lane);
        const lanes = [...this.#lines.keys()].filter((other) => groupOf(other) === group).length;
        return lanes / weightOf(rules, group);
    }
}
//# sourceMappingURL=fair-lines.js.map