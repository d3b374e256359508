/** Within one process. */
export class MemoryShownLists {
    #hashes = {};
    async read() {
        return this.#hashes;
    }
    async write(hashes) {
        this.#hashes = hashes;
    }
}
//# sourceMappingURL=shown-lists.js.map