import type { Timers } from '../ports/timers.js';

/** Quick tasks have ended by then; a pass that waits for longer is suspended as cheaply as at once. */
const STAY_MS = 100;

/**
 * Lets a pass that waits for one task which it has called stay at its worker for a moment, as long as nobody needs its place. If that task
 * ends meanwhile, the pass goes on: it is neither suspended, nor put into the queue, nor run again from its start.
 *
 * Failure semantics: those of a pass whose step runs.
 */
export class Stay {
  private call: string | undefined;
  private isOver = false;
  private forget = (): void => undefined;

  constructor(
    private readonly timers: Timers,
    /** Whether there is room for it at the moment. */
    private readonly mayStay: () => boolean,
    /** Called when the pass may not stay any longer. */
    private readonly onOver: () => void,
  ) {}

  /** Whether the pass stays for the call of that key, and for nothing else. It begins to stay when it is asked for the first time. */
  isFor(call: string | undefined): boolean {
    if (call === undefined) return false;
    if (call !== this.call) this.begin(call);
    return !this.isOver;
  }

  /** Ends it before its time. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.forget();
    this.onOver();
  }

  private begin(call: string): void {
    this.forget();
    this.call = call;
    this.isOver = !this.mayStay();
    this.forget = this.isOver ? () => undefined : this.timers.after(STAY_MS, () => this.end());
  }
}
