/**
 * What a pass has to record, on its way into the journal: drafts are collected until the pass comes to a
 * turn, and appended together, one batch at a time. A batch that was overtaken by others goes with the next.
 */
import type { TaskEvent } from '../domain/events.js';
import { FINAL, isAnswer, isRecord, type PassDraft, type PassEnd } from './drafts.js';
import type { PassJournal } from './pass-journal.js';

/** What became of a batch: what was appended meanwhile, by the pass or by others, and how the pass ended if the batch ended it. */
export interface Recorded {
  readonly events: readonly TaskEvent[];
  readonly end?: PassEnd;
}

/** Collects and appends what one pass records. */
export class PassRecorder {
  private buffer: PassDraft[] = [];
  private readonly abort = new AbortController();

  constructor(
    private readonly journal: PassJournal,
    private readonly clock: () => number,
    /** Reports that wait for a good moment; taken with every batch. */
    private readonly takeReports: () => readonly PassDraft[],
  ) {}

  /** Whether something waits to be recorded that the function has seen already. */
  get hasRecord(): boolean {
    return this.buffer.some(isRecord);
  }

  /** Whether something waits to be recorded with which the function goes on. */
  get hasAnswer(): boolean {
    return this.buffer.some(isAnswer);
  }

  add(draft: PassDraft): void {
    this.buffer.push(draft);
  }

  /** Has only this recorded, instead of all that waits. */
  replaceBy(draft: PassDraft): void {
    this.buffer = [draft];
  }

  /** What waits to be recorded, with reports if there is anything. @param suspension is its last if given */
  takeBatch(isFinishing: boolean, suspension?: PassDraft): readonly PassDraft[] {
    const last = isFinishing ? this.buffer.pop() : suspension;
    const batch = this.buffer;
    if (batch.length > 0 || last !== undefined) batch.push(...this.takeReports());
    if (last !== undefined) batch.push(last);
    this.buffer = [];
    return batch;
  }

  /** Appends a batch, with the claim if it is not recorded yet. @throws like `PassJournal.record` */
  async record(batch: readonly PassDraft[], isFinishing: () => boolean): Promise<Recorded> {
    const stamp = { at: this.clock(), epoch: this.journal.epoch };
    const { appended, events } = await this.journal.record(
      batch.map((draft) => ({ ...draft, ...stamp })),
      this.abort.signal,
    );
    if (!appended) this.buffer = [...batch.filter((draft) => isFinishing() || draft.type !== 'SuspendPass'), ...this.buffer];
    const end = appended ? FINAL.get(batch.at(-1)?.type ?? 'ReportStatus') : undefined;
    return { events, ...(end !== undefined && { end: end === 'suspended' && isFinishing() ? 'released' : end }) };
  }

  /** Gives up what is on its way. */
  stop(reason: Error): void {
    this.abort.abort(reason);
  }
}
