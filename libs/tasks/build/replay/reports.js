import { cutText, FIELD_LIMITS } from '../field-limits.js';
import { progressParams } from './notification-params.js';
/** Progress is appended at most once in this time, unless something else is appended anyway. */
const PROGRESS_INTERVAL_MS = 100;
/** Collects the reports of one pass. */
export class Reports {
    statusCalls = 0;
    progressSeq = 0;
    notifications = 0;
    progress;
    highest;
    progressTakenAt = Number.NEGATIVE_INFINITY;
    forgetFlush;
    /** Set right after both sides exist: the run takes reports, reports go to the run. */
    run;
    status(message) {
        this.statusCalls += 1;
        if (this.statusCalls <= this.run.journal.state.statusSeq)
            return;
        this.run.put({ type: 'ReportStatus', message: cutText(message, FIELD_LIMITS.statusMessageBytes), seq: this.statusCalls });
    }
    notify(method, params) {
        this.notifications += 1;
        if (this.notifications > this.run.journal.state.notificationSeq)
            this.run.put({ type: 'SendNotification', method, params, seq: this.notifications });
    }
    report(report) {
        const { progress } = report;
        const { progressSeq, progress: recorded } = this.run.journal.state;
        this.highest ??= recorded?.progress ?? Number.NEGATIVE_INFINITY;
        if (!(progress > this.highest) || !Number.isFinite(progress))
            return;
        this.highest = progress;
        this.progressSeq = Math.max(this.progressSeq, progressSeq) + 1;
        this.progress = { type: 'ReportProgress', ...progressParams(report), seq: this.progressSeq };
        const wait = this.progressTakenAt + PROGRESS_INTERVAL_MS - this.run.clock();
        if (wait <= 0)
            this.flush();
        else
            this.forgetFlush ??= this.run.timers.after(wait, () => this.flush());
    }
    /** The latest progress, for a batch that is appended now. */
    take = () => {
        this.forgetFlush?.();
        this.forgetFlush = undefined;
        if (this.progress === undefined)
            return [];
        const taken = [this.progress];
        this.progress = undefined;
        this.progressTakenAt = this.run.clock();
        return taken;
    };
    flush() {
        for (const draft of this.take())
            this.run.put(draft);
    }
}
//# sourceMappingURL=reports.js.map