/** How much memory a forked process may take, so that it ends before the container does. */

const MIB = 1024 * 1024;

/** A healthy task must not die of too little memory where it runs alone: with less than this left, it waits until other processes end. */
const ENOUGH_BYTES = 256 * MIB;
/** A process with features loaded and nothing to do takes about 100 MiB. */
export const LEAST_BYTES = 160 * MIB;
/** The share that is kept for the system, and for growth between two measurements. */
const RESERVE = 0.1;
/** The share of a process' memory that its heap may take: Buffers and code need the rest. */
const HEAP_SHARE = 0.8;

/** The facts that are known just before a process is forked. */
export interface MemoryState {
  /** The memory of the container or the machine. */
  readonly totalBytes: number;
  /** The memory that the worker itself has taken. */
  readonly workerBytes: number;
  /** The memory that each running forked process may take, or has taken if its task is cleared. */
  readonly promisedBytes: readonly number[];
  /** The most that one may take. @defaultValue its share */
  readonly mostBytes?: number | undefined;
  /** How many more may be forked. */
  readonly free: number;
}

/** @returns how much the next process may take, bytes; nothing when it must wait until one of the others has ended */
export function memoryShare({ totalBytes, workerBytes, promisedBytes, free, mostBytes = Infinity }: MemoryState): number | undefined {
  const left = totalBytes * (1 - RESERVE) - workerBytes - promisedBytes.reduce((sum, bytes) => sum + bytes, 0);
  const share = left / free;
  const enough = Math.min(ENOUGH_BYTES, mostBytes);
  if (share >= enough) return Math.min(share, mostBytes);
  if (left < enough && promisedBytes.length > 0) return undefined;
  return Math.min(Math.max(left, LEAST_BYTES), mostBytes);
}

/** The value for `--max-old-space-size`, MiB: no more than the worker's own heap may have. */
export function heapMebibytes(shareBytes: number, workerHeapBytes: number): number {
  return Math.floor(Math.min(shareBytes * HEAP_SHARE, workerHeapBytes) / MIB);
}
