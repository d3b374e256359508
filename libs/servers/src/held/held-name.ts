import type { Holds, TakenHold } from '@longhaul/sessions';

/** How long what is written is kept after the last use: as long as a session without use, unless that has another setting. */
const KEEP_MS = 24 * 3_600_000;

/** A hold of one name, as one process takes part in it. */
export class HeldName {
  constructor(
    readonly name: string,
    private readonly options: { readonly holds: Holds; readonly holder: string; readonly leaseMs: number },
  ) {}

  /** @param ended an epoch that this process knows to have ended */
  take(ended?: number): Promise<TakenHold> {
    const { holds, holder, leaseMs } = this.options;
    return holds.take({ name: this.name, holder, leaseMs, keepMs: KEEP_MS, ended });
  }

  /** What is held has ended by itself: who takes it next, also this process, begins it again after a loss. */
  async giveUp(): Promise<void> {
    const { holds, holder } = this.options;
    await holds.take({ name: this.name, holder, leaseMs: 0, keepMs: KEEP_MS });
  }

  isOurs({ holder }: Pick<TakenHold, 'holder'>): boolean {
    return holder === this.options.holder;
  }

  write(epoch: number, value: string): Promise<boolean> {
    const { holds, holder } = this.options;
    return holds.write({ name: this.name, holder, epoch }, value);
  }

  /** @param isInUse whether other processes may use it, which then keep it. @returns whether none does */
  release(epoch: number, { isInUse }: { readonly isInUse: boolean }): Promise<boolean> {
    const { holds, holder, leaseMs } = this.options;
    return holds.release({ name: this.name, holder, epoch }, isInUse ? leaseMs : undefined);
  }
}
