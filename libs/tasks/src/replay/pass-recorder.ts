/**
 * Collects the drafts of a pass and writes them into the journal: drafts are collected until the pass comes to a turn, and appended
 * together, one batch at a time. A batch that was overtaken by others goes with the next.
 */
import type { PassCommand } from '../domain/commands.js';
import type { TaskEvent } from '../domain/events.js';
import { CommandRejected } from '../domain/rejection.js';
import { endsTry, FINAL, isAnswer, isRecord, type PassDraft, type PassEnd } from './drafts.js';
import { ClaimOvertaken, HistoryTooLarge, OwnerHistoryTooLarge, type PassJournal } from './pass-journal.js';
import { lostValue } from './pass-values.js';

/** The result of a batch: the events that were appended by then, by the pass or by others, and how the pass ended if the batch ended it. */
export interface Recorded {
  readonly events: readonly TaskEvent[];
  readonly end?: PassEnd;
}

/** Gives the reports that wait for a good moment, for a batch that is appended now. @param isLast whether the batch ends the pass */
export type TakeReports = (isLast: boolean) => readonly PassDraft[];

/** Collects and appends what one pass records. */
export class PassRecorder {
  private drafts: PassDraft[] = [];
  /** The last event of the pass; everything else is recorded before it. */
  private last: PassDraft | undefined;
  private readonly abort = new AbortController();

  constructor(
    private readonly journal: PassJournal,
    private readonly clock: () => number,
    private readonly takeReports: TakeReports,
  ) {}

  get isEmpty(): boolean {
    return this.drafts.length === 0 && this.last === undefined;
  }

  /** Whether something waits to be recorded that the function has seen already. */
  get hasRecord(): boolean {
    return this.drafts.some(isRecord);
  }

  /** Whether something waits to be recorded with which the function continues. */
  get hasAnswer(): boolean {
    return this.drafts.some(isAnswer);
  }

  /** Whether all that waits says of children that they were created: nothing continues with it, and another try would find them. */
  get onlyConfirms(): boolean {
    return this.last === undefined && this.drafts.every(({ type }) => type === 'ConfirmChild');
  }

  /** Whether the end of a try of the operation waits to be recorded: the record does not say so yet. */
  hasAnswerTo(key: string): boolean {
    return this.drafts.some((draft) => endsTry(draft) && 'key' in draft && draft.key === key);
  }

  /** Whether it is decided how the pass ends. */
  get isFinishing(): boolean {
    return this.last !== undefined;
  }

  add(draft: PassDraft): void {
    this.drafts.push(draft);
  }

  /** Has the pass end with `last` once everything that waits is recorded. */
  finishWith(last: PassDraft): void {
    this.last = last;
  }

  /** Has the pass end with `last`, and nothing else recorded. */
  failWith(last: PassDraft): void {
    this.drafts = [];
    this.last = last;
  }

  /**
   * Appends what waits, with the claim if it is not recorded yet, and with reports if there is anything else.
   *
   * @param suspension ends the pass if it goes out with this append: otherwise it must be decided again
   * @throws like `PassJournal.record`
   */
  async flush(suspension?: PassDraft): Promise<Recorded> {
    const last = this.last ?? suspension;
    const drafts = this.drafts;
    this.drafts = [];
    if (drafts.length > 0 || last !== undefined) drafts.push(...this.takeReports(last !== undefined));
    const at = this.clock();
    const { epoch } = this.journal;
    const batch = last === undefined ? drafts : [...drafts, last];
    const command = (draft: PassDraft): PassCommand => ({ ...draft, at, epoch });
    const { taken = 0, events } = await this.journal.record(batch.map(command), this.abort.signal);
    this.drafts = [...drafts.slice(taken), ...this.drafts];
    for (const draft of batch.slice(0, taken)) if (draft.type === 'CompleteStep') this.journal.place.freeStep(draft.key);
    const end = taken === batch.length && last !== undefined ? FINAL.get(last.type) : undefined;
    return { events, ...(end !== undefined && { end: end === 'suspended' && this.isFinishing ? 'released' : end }) };
  }

  /** Aborts what is on its way. */
  stop(reason: Error): void {
    this.abort.abort(reason);
  }
}

/** The consequence of a refused batch: the pass ends as `end`, or the task fails with the message and the reason. */
export type BatchRefusal = { readonly end: PassEnd } | { readonly end?: undefined; readonly message: string; readonly reason: string };

/**
 * Why a batch was refused; nothing for other errors. A fenced rejection does not count as a refusal: the pass itself has read its cause,
 * and its epoch still holds. So no other worker has the task, and its job must not be dropped.
 */
export function batchRefusalOf(error: unknown): BatchRefusal | undefined {
  if (error instanceof ClaimOvertaken) return { end: 'overtaken' };
  if (error instanceof HistoryTooLarge) return { message: error.message, reason: 'HISTORY_TOO_LARGE' };
  const lost = lostValue(error);
  if (lost !== undefined) return { message: `The task failed permanently: ${lost.message}`, reason: lost.code };
  if (error instanceof OwnerHistoryTooLarge) return { message: error.message, reason: 'OWNER_HISTORY_TOO_LARGE' };
  if (!(error instanceof CommandRejected) || error.code === 'FENCED') return undefined;
  if (error.code === 'TASK_ENDED') return { end: 'interrupted' };
  return { message: `The workflow's record is inconsistent: ${error.message}`, reason: error.code };
}
