/** Hands out its items in ascending order of their numbers; a binary heap, so that a long queue costs little more than a short one. */
export class PriorityQueue {
    heap = [];
    /** The number of the item that comes next; infinite when there is none. */
    get nextOrder() {
        return this.heap[0]?.order ?? Number.POSITIVE_INFINITY;
    }
    get isEmpty() {
        return this.heap.length === 0;
    }
    add(item, order) {
        let index = this.heap.length;
        for (let parent = this.parentIfAfter(index, order); parent !== undefined; parent = this.parentIfAfter(index, order)) {
            this.heap[index] = parent;
            index = (index - 1) >> 1;
        }
        this.heap[index] = { item, order };
    }
    /** Takes out the next item. */
    take() {
        const first = this.heap[0];
        const last = this.heap.pop();
        if (last !== undefined && this.heap.length > 0)
            this.sink(last);
        return first?.item;
    }
    parentIfAfter(index, order) {
        const parent = index > 0 ? this.heap[(index - 1) >> 1] : undefined;
        return parent !== undefined && parent.order > order ? parent : undefined;
    }
    sink(entry) {
        let index = 0;
        for (;;) {
            const [left, right] = [2 * index + 1, 2 * index + 2];
            const [first, second] = [this.heap[left], this.heap[right]];
            const isRight = first !== undefined && second !== undefined && second.order < first.order;
            const child = isRight ? second : first;
            if (child === undefined || child.order >= entry.order)
                break;
            this.heap[index] = child;
            index = isRight ? right : left;
        }
        this.heap[index] = entry;
    }
}
//# sourceMappingURL=priority-queue.js.map