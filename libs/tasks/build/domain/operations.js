/** Whether a workflow that waits for the operation has its answer. */
export function isSettled(operation) {
    return operation?.settledAt !== undefined;
}
/** Entries of the top layer, which is copied with each state. */
const TOP_SIZE = 16;
/** A layer is merged with the one below unless that is at least this many times larger. */
const GROWTH = 4;
/** Operations under construction, owned by the code that copied them. */
export class MutableOperations {
    layers;
    top;
    constructor(
    /** The largest first. What a layer has counts instead of what lies below it. */
    layers = [], top = new Map()) {
        this.layers = layers;
        this.top = top;
    }
    get(key) {
        const { layers } = this;
        let operation = this.top.get(key);
        for (let index = layers.length - 1; operation === undefined && index >= 0; index--)
            operation = layers[index]?.get(key);
        return operation;
    }
    set(key, operation) {
        this.top.set(key, operation);
    }
    /** Keeps the operations that `keeps` says yes to. */
    retain(keeps) {
        this.layers = [new Map([...this].filter(([, operation]) => keeps(operation)))];
        this.top = new Map();
    }
    copy() {
        if (this.top.size < TOP_SIZE)
            return new MutableOperations(this.layers, new Map(this.top));
        const kept = [...this.layers];
        let merged = new Map(this.top);
        for (let below = kept.pop(); below !== undefined; below = kept.pop()) {
            if (below.size >= GROWTH * merged.size) {
                kept.push(below);
                break;
            }
            merged = mergedLayer([below, merged]);
        }
        return new MutableOperations([...kept, merged]);
    }
    [Symbol.iterator]() {
        return mergedLayer([...this.layers, this.top]).entries();
    }
}
/** No operation. */
export const noOperations = new MutableOperations();
/** A key keeps the place of the lowest layer that has it, and gets the operation of the highest. */
function mergedLayer(layers) {
    const merged = new Map(layers[0]);
    for (const layer of layers.slice(1))
        for (const [key, operation] of layer)
            merged.set(key, operation);
    return merged;
}
//# sourceMappingURL=operations.js.map