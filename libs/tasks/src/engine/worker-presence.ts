/**
 * Keeps a worker present among the others: it beats, learns that it was declared dead, and gives the jobs of dead workers to living ones.
 *
 * When the store was away, silence does not mean death, because then all workers are silent. So a worker that could not beat itself, or
 * stood still, declares no worker dead until it has been in touch for as long as the others need to beat again. A worker that said that it
 * leaves is believed at once, and one whose process has ended is dead. One whose connection has ended has less time to beat again: so a
 * worker that loses its own connection ends its lease earlier, and beats as soon as it has another one. A worker that has just started, and
 * has seen no outage, waits no longer for it than that.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { WorkerLease } from '../replay/worker-lease.js';
import type { TaskConsumer } from '../ports/task-queue.js';
import { CUT_SHARE, type DeadWorker, type RegisteredWorker, type RunningPass, type WorkerRegistry } from '../ports/worker-registry.js';

/** Dependencies of the presence. */
export interface WorkerPresenceOptions {
  readonly registry: WorkerRegistry;
  /** Everything that the worker says of itself, except its lock token, which belongs to its consumer, and the passes that it runs. */
  readonly worker: Omit<RegisteredWorker, 'lockToken' | 'busy' | 'running'>;
  /** The passes that it runs now: sent with each beat. If it is absent, the worker does not send them. */
  readonly running?: () => { readonly busy: number; readonly passes: readonly RunningPass[] };
  readonly consumer: Pick<TaskConsumer, 'lockToken' | 'recover' | 'loseAll'>;
  /** Called when another worker has been silent for so long that it may be dead soon. */
  readonly onSilence?: () => void;
  /** Called for a worker that died, when its jobs have been given to others. */
  readonly onDeath: (dead: DeadWorker, jobs: number) => void;
  readonly onError: (error: unknown) => void;
  /** Renewed by each beat after which no other worker can have declared this one dead. */
  readonly lease: WorkerLease;
}

/** A worker must be in touch for this share of the time of silence after which others count as dead, before it judges them. */
const IN_TOUCH_SHARE = 0.75;

/** Share of that time for which only the dead and the very busy are silent. */
const SUSPICIOUS_SHARE = 0.5;

/** Beats for one worker. */
export class WorkerPresence {
  readonly #worker: RegisteredWorker;
  readonly #clock: () => number;
  readonly #stopped = new AbortController();
  /** By worker id. */
  readonly #recovering = new Set<string>();
  #inTouchSince = Number.POSITIVE_INFINITY;
  #beatAt = Number.NEGATIVE_INFINITY;
  /** When the latest beat was sent that was answered. */
  #askedAt = Number.NEGATIVE_INFINITY;
  #beaten = false;
  #wasAway = false;

  constructor(private readonly options: WorkerPresenceOptions) {
    this.#worker = { ...options.worker, lockToken: options.consumer.lockToken };
    this.#clock = options.lease.clock;
  }

  /** Registers the worker and begins to beat. */
  async start(): Promise<void> {
    await this.#beat();
    this.options.registry.onConnection((isThere) => {
      if (this.#stopped.signal.aborted) return;
      if (isThere) void this.#beat().catch(this.options.onError);
      else this.#endLeaseEarlier();
    });
    void this.#keepBeating();
  }

  /**
   * Whether a worker has died. After an outage of the store this waits until it is known whether a silent worker is dead.
   *
   * @throws TaskError `STORE_UNAVAILABLE`; the reason of `signal` when it aborts while it waits
   */
  async hasDied(workerId: string, signal: AbortSignal): Promise<boolean> {
    const { registry } = this.options;
    for (;;) {
      const isSure = this.#isInTouch();
      const standing = await registry.standing(workerId);
      if (standing !== 'silent' || isSure) return standing !== 'live';
      await wait(registry.times.beatMs, undefined, { signal });
    }
  }

  /** Stops beating and says that the worker takes no more jobs: see `WorkerRegistry.leave`. */
  leave(): void {
    this.#stopped.abort();
    this.options.registry.leave(this.#worker.workerId);
  }

  async #keepBeating(): Promise<void> {
    const { registry, onError } = this.options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await wait(registry.times.beatMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#beat().catch(onError);
    }
  }

  async #beat(): Promise<void> {
    const { registry, consumer, lease, onSilence, running } = this.options;
    const askedAt = this.#clock();
    const {
      known,
      silentMs,
      dead,
      isOneCut = false,
    } = await registry.beat({ ...this.#worker, ...(running !== undefined && saidOf(running())) });
    const now = this.#clock();
    const wasSilent = now - this.#beatAt > this.#touchMs;
    if (wasSilent) {
      this.#inTouchSince = now;
      this.#wasAway = this.#beaten;
    }
    this.#beatAt = now;
    if (this.#beaten && !known) consumer.loseAll();
    // A silent worker may still be known although its jobs are being given to others.
    if (!this.#beaten || !wasSilent) lease.renew(askedAt + this.#touchMs);
    this.#askedAt = askedAt;
    this.#beaten = true;
    const isSuspicious = isOneCut || silentMs > registry.times.deadAfterMs * SUSPICIOUS_SHARE;
    if ((isSuspicious && this.#isInTouch()) || dead.some(({ left }) => left)) onSilence?.();
    // Not awaited: the next beat is due, even if a part of the store delays the jobs of the dead.
    for (const one of dead) if (this.#mayJudge(one)) void this.#recover(one);
  }

  /** Without a connection, others may take its jobs sooner. */
  #endLeaseEarlier(): void {
    const { lease, registry } = this.options;
    const untilMs = this.#askedAt + registry.times.deadAfterMs * CUT_SHARE.dead * IN_TOUCH_SHARE;
    if (untilMs < lease.untilMs) lease.renew(untilMs);
  }

  /** Each beat names a dead worker again until it is forgotten; a worker that is being recovered is skipped. */
  async #recover(dead: DeadWorker): Promise<void> {
    const { registry, consumer, onDeath, onError } = this.options;
    const { workerId, lockToken } = dead.worker;
    if (this.#recovering.has(workerId)) return;
    this.#recovering.add(workerId);
    try {
      // A worker that has beaten since then keeps its jobs. From here on, it learns from its next beat that it has lost them.
      const jobs = await consumer.recover(lockToken, async () => this.#mayJudge(dead) && registry.forget(workerId));
      if (jobs !== undefined) onDeath(dead, jobs);
    } catch (error) {
      onError(error);
    } finally {
      this.#recovering.delete(workerId);
    }
  }

  #mayJudge({ left, ended }: DeadWorker): boolean {
    if (left || ended === 'process') return true;
    const isBrief = ended === 'connection' && !this.#wasAway;
    return this.#isInTouch(isBrief ? this.options.registry.times.deadAfterMs * CUT_SHARE.dead : this.#touchMs);
  }

  #isInTouch(forMs = this.#touchMs): boolean {
    const now = this.#clock();
    return now - this.#inTouchSince >= forMs && now - this.#beatAt <= this.#touchMs;
  }

  get #touchMs(): number {
    return this.options.registry.times.deadAfterMs * IN_TOUCH_SHARE;
  }
}

function saidOf({
  busy,
  passes,
}: {
  readonly busy: number;
  readonly passes: readonly RunningPass[];
}): Pick<RegisteredWorker, 'busy' | 'running'> {
  return { busy, running: passes };
}
