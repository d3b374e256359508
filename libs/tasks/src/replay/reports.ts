/**
 * Collects status, progress and notifications. They notify the client and decide nothing, so they wait for no acknowledgement. Each status
 * and notification carries a number, so that a replay skips the recorded ones. Repeated progress is dropped because it is not
 * higher than the recorded one.
 */
import type { Json, JsonObject } from '../domain/json.js';
import { checkKey, cutText, FIELD_LIMITS } from '../field-limits.js';
import type { PassDraft } from './drafts.js';
import { Exposures } from './exposures.js';
import type { TakeReports } from './pass-recorder.js';
import type { PassRun } from './pass-run.js';
import { progressParams } from './notification-params.js';
import { ReportNumbers } from './report-numbers.js';
import type { ProgressReport } from './task-context.js';

/** Progress is appended at most once in this time, unless something else is appended anyway. */
const PROGRESS_INTERVAL_MS = 100;

/** Collects the reports of one pass. */
export class Reports {
  private readonly statuses = new ReportNumbers(
    () => this.run,
    ({ statusSeq }) => statusSeq,
  );
  private readonly notifications = new ReportNumbers(
    () => this.run,
    ({ notificationSeq }) => notificationSeq,
  );
  private progressSeq = 0;
  private progress: (PassDraft & { type: 'ReportProgress' }) | undefined;
  private highest: number | undefined;
  private progressTakenAt = Number.NEGATIVE_INFINITY;
  private forgetFlush: (() => void) | undefined;
  private exposures: Exposures | undefined;
  /** Set right after both sides exist: the run takes reports, reports go to the run. */
  run!: PassRun;

  status(message: string): void {
    checkKey('status: message', message, Infinity);
    const seq = this.statuses.next();
    if (seq !== undefined) this.run.put({ type: 'ReportStatus', message: cutText(message, FIELD_LIMITS.statusMessageBytes), seq });
  }

  notify(method: string, params: JsonObject): void {
    const seq = this.notifications.next();
    if (seq !== undefined) this.run.put({ type: 'SendNotification', method, params, seq });
  }

  report(report: ProgressReport): void {
    const params = progressParams(report);
    const { progress } = params;
    const { progressSeq, progress: recorded } = this.run.journal.state;
    this.highest ??= recorded?.progress ?? Number.NEGATIVE_INFINITY;
    if (!(progress > this.highest) || !Number.isFinite(progress)) return;
    this.highest = progress;
    this.progressSeq = Math.max(this.progressSeq, progressSeq) + 1;
    this.progress = { type: 'ReportProgress', ...params, seq: this.progressSeq };
    const wait = this.progressTakenAt + PROGRESS_INTERVAL_MS - this.run.clock();
    if (wait <= 0) this.flush();
    else this.forgetFlush ??= this.run.timers.after(wait, () => this.flush());
  }

  /** Shows a value, as it will be read back. */
  expose(value: Json): void {
    this.exposures ??= new Exposures(this.run);
    this.exposures.expose(value);
  }

  /** The latest progress and the latest value, for a batch that is appended now. @param isLast whether it ends the pass */
  take: TakeReports = (isLast) => [...this.takeProgress(), ...(this.exposures?.take(isLast) ?? [])];

  private takeProgress(): readonly PassDraft[] {
    this.forgetFlush?.();
    this.forgetFlush = undefined;
    if (this.progress === undefined) return [];
    const taken = [this.progress];
    this.progress = undefined;
    this.progressTakenAt = this.run.clock();
    return taken;
  }

  private flush(): void {
    for (const draft of this.takeProgress()) this.run.put(draft);
  }
}
