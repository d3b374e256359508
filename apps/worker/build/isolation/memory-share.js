/** How much memory a forked process may take, so that it ends before the container does. */
const MIB = 1024 * 1024;
/** A healthy task must not die of too little memory where it is alone: with less than this left, it waits for others to end. */
const ENOUGH_BYTES = 256 * MIB;
/** A process with features loaded and nothing to do takes about 100 MiB. */
export const LEAST_BYTES = 160 * MIB;
/** For the system, and for what grows between two looks. */
const RESERVE = 0.1;
/** Of the memory of a process, what its heap may take: Buffers and code are beside it. */
const HEAP_SHARE = 0.8;
/** @returns what the next process may take, bytes; nothing when it has to wait until one of the others has ended */
export function memoryShare({ totalBytes, workerBytes, promisedBytes, free }) {
    const left = totalBytes * (1 - RESERVE) - workerBytes - promisedBytes.reduce((sum, bytes) => sum + bytes, 0);
    const share = left / free;
    if (share >= ENOUGH_BYTES)
        return share;
    if (left < ENOUGH_BYTES && promisedBytes.length > 0)
        return undefined;
    return Math.max(left, LEAST_BYTES);
}
/** What `--max-old-space-size` is given, MiB: no more than the worker's own heap may have. */
export function heapMebibytes(shareBytes, workerHeapBytes) {
    return Math.floor(Math.min(shareBytes * HEAP_SHARE, workerHeapBytes) / MIB);
}
//# sourceMappingURL=memory-share.js.map