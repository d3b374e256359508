/**
 * The slots of a worker, which all of its queues share. A queue takes one before it asks for a job, and gives it back when there
 * is none, or when the job has ended; so there are never more jobs than slots, and no slot is free while a queue is not known to
 * be empty.
 *
 * Queues take turns: a free slot goes to the queue that has the fewest, of these to the one that got one the longest time ago.
 * As long as no other queue is short of slots, the next job of a queue takes the slot of the one that ended, without giving it
 * back: BullMQ fetches it with the end of the first. What a queue is short of is one slot while it has none, and otherwise two
 * less than the other has. So queues that all have jobs have as many slots each, give or take one, and their turns when there are
 * fewer slots than queues.
 *
 * A queue with a free slot in sight waits for its jobs and hears of them. While all slots are taken nobody waits, so a queue that
 * was empty may have jobs since: it has its turns as well, but is asked again only when some time is over, or when as many jobs
 * have ended as there are slots. So a job waits for two passes of a slot at most, for any number of jobs in the other queues.
 */

/** How long a queue that was found empty counts as empty, while all slots are taken. */
const EMPTY_FOR_MS = 50;

/** The slots of one worker. */
export class SharedSlots {
  readonly #queues = new Set<QueueSlots>();
  #taken = 0;
  #turns = 0;
  #ends = 0;
  #isClosed = false;

  constructor(readonly limit: number) {}

  /** Jobs that may be fetched now. */
  get free(): number {
    return this.#isClosed ? 0 : this.limit - this.#taken;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** One more queue that shares them. */
  join(): QueueSlots {
    const queue = new QueueSlots(this);
    this.#queues.add(queue);
    return queue;
  }

  /** @internal */
  leave(queue: QueueSlots): void {
    this.#queues.delete(queue);
    queue.settle(false);
  }

  /** How many slots a queue has if all have the same, at least one. */
  get share(): number {
    return Math.ceil(this.limit / Math.max(1, this.#queues.size));
  }

  /** No slot is taken from now on, and nobody waits for one any more. */
  close(): void {
    this.#isClosed = true;
    for (const queue of this.#queues) queue.settle(false);
  }

  /** @internal How many jobs have ended. */
  get ends(): number {
    return this.#ends;
  }

  /** @internal */
  countEnd(): void {
    this.#ends += 1;
  }

  /** @internal Whether the queue has got one. */
  give(queue: QueueSlots): boolean {
    if (this.free <= 0) return false;
    this.#taken += 1;
    this.#turns += 1;
    queue.got(this.#turns);
    return true;
  }

  /** @internal */
  giveBack(): void {
    this.#taken -= 1;
    this.handOut();
  }

  /** @internal Gives what is free to those that wait, in turn; if some stays free, those may wait for jobs that know of none. */
  handOut(): void {
    while (this.free > 0) {
      const next = this.#next();
      if (next === undefined) break;
      this.give(next);
      next.settle(true);
    }
    if (this.free > 0) for (const queue of this.#queues) queue.settle(false);
  }

  /** @internal Whether another queue should get a slot rather than one that has so many. */
  isDueTo(queue: QueueSlots): boolean {
    const now = performance.now();
    for (const other of this.#queues)
      if (other !== queue && other.wants(now) && (other.taken === 0 || other.taken < queue.taken - 1)) return true;
    return false;
  }

  #next(): QueueSlots | undefined {
    const now = performance.now();
    let next: QueueSlots | undefined;
    for (const queue of this.#queues) if (queue.wants(now) && (next === undefined || queue.isBefore(next))) next = queue;
    return next;
  }
}

/** What one queue has of them. */
export class QueueSlots {
  #taken = 0;
  #turn = 0;
  /** When it was found empty, and how many jobs had ended then. */
  #empty: { readonly at: number; readonly ends: number } | undefined;
  #settle: ((hasSlot: boolean) => void) | undefined;

  constructor(private readonly slots: SharedSlots) {}

  /** Slots that the queue has. */
  get taken(): number {
    return this.#taken;
  }

  get isFree(): boolean {
    return this.slots.free > 0;
  }

  get isClosed(): boolean {
    return this.slots.isClosed;
  }

  /** Whether the queue had no job when it was last asked. */
  get isEmpty(): boolean {
    return this.#empty !== undefined;
  }

  /** Notes what the queue has answered, or that it has said it has something. */
  found(isSomething: boolean): void {
    this.#empty = isSomething ? undefined : { at: performance.now(), ends: this.slots.ends };
  }

  /**
   * Waits for a slot. One caller at a time.
   *
   * @returns true when the queue has one; false when slots are free but the queue was found empty a moment ago, so that its jobs can
   *   be waited for, and when all is closed
   */
  take(): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false);
    const taken = new Promise<boolean>((resolve) => (this.#settle = resolve));
    this.slots.handOut();
    return taken;
  }

  /** Takes one if one is free now. */
  tryTake(): boolean {
    return this.slots.give(this);
  }

  giveBack(): void {
    this.#taken -= 1;
    this.slots.giveBack();
  }

  /** Asks for none any more, so that the others share all; those that it has it gives back as before. */
  leave(): void {
    this.slots.leave(this);
  }

  /** Called when a job ends: whether the next one of the queue may have its slot. */
  mayGoOn(): boolean {
    this.slots.countEnd();
    return !this.isClosed && !this.slots.isDueTo(this);
  }

  /** @internal */
  got(turn: number): void {
    this.#taken += 1;
    this.#turn = turn;
  }

  /** @internal Ends a wait, if there is one. */
  settle(hasSlot: boolean): void {
    this.#settle?.(hasSlot);
    this.#settle = undefined;
  }

  /** @internal Whether it waits for a slot to ask with. */
  wants(now: number): boolean {
    if (this.#settle === undefined || this.#empty === undefined) return this.#settle !== undefined;
    return now - this.#empty.at >= EMPTY_FOR_MS || this.slots.ends - this.#empty.ends >= this.slots.limit;
  }

  /** @internal */
  isBefore(other: QueueSlots): boolean {
    return this.#taken === other.#taken ? this.#turn < other.#turn : this.#taken < other.#taken;
  }
}
