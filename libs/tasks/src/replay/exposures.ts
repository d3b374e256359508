/**
 * Collects the values that a workflow shows. Only the latest counts, so that one waits for the next batch, or is appended by itself when
 * nothing else is. The more a pass has recorded of them, the longer it keeps the next one back: so they can never fill a history.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Exposed } from '../domain/events.js';
import { jsonSize } from '../domain/json-size.js';
import type { Json } from '../domain/json.js';
import type { PassDraft } from './drafts.js';
import type { PassRun } from './pass-run.js';
import { ReportNumbers } from './report-numbers.js';

/** Values are appended at most once in this time, unless the pass ends. It doubles with each of these bytes, up to the longest time. */
const INTERVAL = { firstMs: 100, doublesAfterBytes: 1024 * 1024, mostMs: 3_600_000 };
/** A small value is counted as so many bytes. */
const LEAST_BYTES = 1024;

/** The pass. */
type ExposingRun = Pick<PassRun, 'clock' | 'timers' | 'signal' | 'put'> & { readonly journal: Pick<PassRun['journal'], 'state'> };

/** Collects the values of one pass. */
export class Exposures {
  private readonly numbers: ReportNumbers;
  /** What readers see, or soon will. */
  private latest: Exposed | undefined;
  private waiting: (PassDraft & { type: 'ExposeValue' }) | undefined;
  private bytes = 0;
  private takenAt = Number.NEGATIVE_INFINITY;
  private forgetFlush: (() => void) | undefined;

  constructor(private readonly run: ExposingRun) {
    this.numbers = new ReportNumbers(
      () => run,
      ({ exposedSeq }) => exposedSeq,
    );
    this.latest = run.journal.state.exposed;
    run.signal.addEventListener('abort', () => this.forgetFlush?.());
  }

  expose(value: Json): void {
    if (this.run.signal.aborted) return;
    const seq = this.numbers.next();
    if (seq === undefined) return;
    if (this.latest !== undefined && isDeepStrictEqual(this.latest.value, value)) return;
    this.latest = { value };
    this.waiting = { type: 'ExposeValue', value, seq };
    this.forgetFlush ??= this.run.timers.after(Math.max(INTERVAL.firstMs, this.waitMs), () => this.flush());
  }

  /** The latest value, for a batch that is appended now. */
  take(isLast: boolean): readonly PassDraft[] {
    if (this.waiting === undefined || (!isLast && this.waitMs > 0)) return [];
    this.forgetFlush?.();
    this.forgetFlush = undefined;
    const taken = this.waiting;
    this.waiting = undefined;
    this.takenAt = this.run.clock();
    this.bytes += Math.max(jsonSize(taken.value), LEAST_BYTES);
    return [taken];
  }

  private get waitMs(): number {
    const { firstMs, doublesAfterBytes, mostMs } = INTERVAL;
    const intervalMs = Math.min(firstMs * 2 ** Math.floor(this.bytes / doublesAfterBytes), mostMs);
    return this.takenAt + intervalMs - this.run.clock();
  }

  private flush(): void {
    this.forgetFlush = undefined;
    for (const draft of this.take(true)) this.run.put(draft);
  }
}
