/** A semaphore that counts bytes. */

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * Room for a number of bytes. A request that is larger than all of it gets in when nothing else is held, so that no request waits for ever.
 */
export class ByteRoom {
  private held = 0;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly capacityBytes: number) {}

  /**
   * Waits for room, behind earlier requests, and takes it.
   *
   * @throws the reason of `signal` when it aborts before
   */
  async enter(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.waiting.length === 0 && this.hasRoomFor(bytes)) this.held += bytes;
    else await this.turn(bytes, signal);
  }

  /** Takes more for a holder of `held` bytes, whether or not there is room. @returns whether there was */
  grow(held: number, by: number): boolean {
    const fits = this.held === held || this.held + by <= this.capacityBytes;
    this.held += by;
    return fits;
  }

  leave(bytes: number): void {
    this.held -= bytes;
    this.admitNext();
  }

  private hasRoomFor(bytes: number): boolean {
    return this.held === 0 || this.held + bytes <= this.capacityBytes;
  }

  private turn(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', leaveQueue);
        this.held += bytes;
        resolve();
      };
      const waiting = { bytes, admit };
      const leaveQueue = (): void => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
        this.admitNext();
      };
      signal.addEventListener('abort', leaveQueue, { once: true });
      this.waiting.push(waiting);
    });
  }

  private admitNext(): void {
    for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.bytes); next = this.waiting[0]) {
      this.waiting.shift();
      next.admit();
    }
  }
}
