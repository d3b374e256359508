/** A semaphore that counts bytes. */
/** Room for so many bytes. What is larger than all of it gets in when nothing else is held, so that nothing waits for ever. */
export class ByteRoom {
    capacityBytes;
    held = 0;
    waiting = [];
    constructor(capacityBytes) {
        this.capacityBytes = capacityBytes;
    }
    /**
     * Waits for room, behind those that wait already, and takes it.
     *
     * @throws the reason of `signal` when it aborts before
     */
    async enter(bytes, signal) {
        if (this.waiting.length === 0 && this.hasRoomFor(bytes))
            this.held += bytes;
        else
            await this.turn(bytes, signal);
    }
    /** Takes more for a holder of `held` bytes, whether or not there is room. @returns whether there was */
    grow(held, by) {
        const fits = this.held === held || this.held + by <= this.capacityBytes;
        this.held += by;
        return fits;
    }
    leave(bytes) {
        this.held -= bytes;
        this.admitNext();
    }
    hasRoomFor(bytes) {
        return this.held === 0 || this.held + bytes <= this.capacityBytes;
    }
    turn(bytes, signal) {
        signal.throwIfAborted();
        return new Promise((resolve, reject) => {
            const admit = () => {
                signal.removeEventListener('abort', leaveQueue);
                this.held += bytes;
                resolve();
            };
            const waiting = { bytes, admit };
            const leaveQueue = () => {
                this.waiting.splice(this.waiting.indexOf(waiting), 1);
                reject(signal.reason);
                this.admitNext();
            };
            signal.addEventListener('abort', leaveQueue, { once: true });
            this.waiting.push(waiting);
        });
    }
    admitNext() {
        for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.bytes); next = this.waiting[0]) {
            this.waiting.shift();
            next.admit();
        }
    }
}
//# sourceMappingURL=byte-room.js.map