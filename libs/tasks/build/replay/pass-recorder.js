import { CommandRejected } from '../domain/rejection.js';
import { FINAL, isAnswer, isRecord } from './drafts.js';
import { ClaimOvertaken, HistoryTooLarge, OwnerHistoryTooLarge } from './pass-journal.js';
/** Collects and appends what one pass records. */
export class PassRecorder {
    journal;
    clock;
    takeReports;
    drafts = [];
    /** The last event of the pass; everything else is recorded before it. */
    last;
    abort = new AbortController();
    constructor(journal, clock, 
    /** Reports that wait for a good moment; taken with every batch. */
    takeReports) {
        this.journal = journal;
        this.clock = clock;
        this.takeReports = takeReports;
    }
    get isEmpty() {
        return this.drafts.length === 0 && this.last === undefined;
    }
    /** Whether something waits to be recorded that the function has seen already. */
    get hasRecord() {
        return this.drafts.some(isRecord);
    }
    /** Whether something waits to be recorded with which the function goes on. */
    get hasAnswer() {
        return this.drafts.some(isAnswer);
    }
    /** Whether what settles the operation waits to be recorded: the record does not say so yet. */
    hasAnswerTo(key) {
        return this.drafts.some((draft) => isAnswer(draft) && 'key' in draft && draft.key === key);
    }
    /** Whether it is decided how the pass ends. */
    get isFinishing() {
        return this.last !== undefined;
    }
    add(draft) {
        this.drafts.push(draft);
    }
    /** Has the pass end with `last` once everything that waits is recorded. */
    finishWith(last) {
        this.last = last;
    }
    /** Has the pass end with `last`, and nothing else recorded. */
    failWith(last) {
        this.drafts = [];
        this.last = last;
    }
    /**
     * Appends what waits, with the claim if it is not recorded yet, and with reports if there is anything else.
     *
     * @param suspension ends the pass if it goes out with this append: otherwise it has to be decided anew
     * @throws like `PassJournal.record`
     */
    async flush(suspension) {
        const last = this.last ?? suspension;
        const drafts = this.drafts;
        this.drafts = [];
        if (drafts.length > 0 || last !== undefined)
            drafts.push(...this.takeReports());
        const at = this.clock();
        const { epoch } = this.journal;
        const batch = last === undefined ? drafts : [...drafts, last];
        const command = (draft) => ({ ...draft, at, epoch });
        const { taken = 0, events } = await this.journal.record(batch.map(command), this.abort.signal);
        this.drafts = [...drafts.slice(taken), ...this.drafts];
        for (const draft of batch.slice(0, taken))
            if (draft.type === 'CompleteStep')
                this.journal.place.freeStep(draft.key);
        const end = taken === batch.length && last !== undefined ? FINAL.get(last.type) : undefined;
        return { events, ...(end !== undefined && { end: end === 'suspended' && this.isFinishing ? 'released' : end }) };
    }
    /** Aborts what is on its way. */
    stop(reason) {
        this.abort.abort(reason);
    }
}
/**
 * Why a batch was refused; nothing for what is no refusal. What is rejected as fenced is none: it is so by what the pass itself has
 * read, where its epoch still holds, so nobody else has the task, and its job must not be dropped.
 */
export function refusalOf(error) {
    if (error instanceof ClaimOvertaken)
        return { end: 'overtaken' };
    if (error instanceof HistoryTooLarge)
        return { message: error.message, reason: 'HISTORY_TOO_LARGE' };
    if (error instanceof OwnerHistoryTooLarge)
        return { message: error.message, reason: 'OWNER_HISTORY_TOO_LARGE' };
    if (!(error instanceof CommandRejected) || error.code === 'FENCED')
        return undefined;
    if (error.code === 'TASK_ENDED')
        return { end: 'interrupted' };
    return { message: `The workflow's record is inconsistent: ${error.message}`, reason: error.code };
}
//# sourceMappingURL=pass-recorder.js.map