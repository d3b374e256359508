import { heldBytes } from '../history/held-bytes.js';
import type { PassDraft } from './drafts.js';
import type { WorkerLease } from './worker-lease.js';
import type { PassAlarm } from './pass-alarm.js';
import type { PassJournal } from './pass-journal.js';
import type { RunningStep } from './running-step.js';

/** Dependencies of the steps of a pass. */
export interface RunningStepsDeps {
  readonly journal: PassJournal;
  /** Of the worker that has the job: without it no step starts. */
  readonly lease: WorkerLease;
  readonly alarm: PassAlarm;
  /** Aborts when the pass has ended, or this worker no longer has its task. */
  readonly signal: AbortSignal;
  /** Called when a running step has something to record. */
  readonly onNoted: (draft: PassDraft) => void;
  /** Called when a step has ended, with its record, if it has one. */
  readonly onEnd: (draft: PassDraft | undefined) => void;
}

/** The steps that run in a pass. A step that exceeds its time limit is left behind: its later result is ignored. */
export class RunningSteps {
  private readonly running = new Map<string, RunningStep>();

  constructor(private readonly deps: RunningStepsDeps) {}

  get size(): number {
    return this.running.size;
  }

  get keys(): readonly string[] {
    return [...this.running.keys()];
  }

  has(key: string): boolean {
    return this.running.has(key);
  }

  /** Runs a step, as soon as there is room for it and the lease is held. */
  async run(step: RunningStep): Promise<void> {
    const { journal, lease, alarm, signal } = this.deps;
    this.running.set(step.key, step);
    alarm.set(step.key, step.lookAt);
    const { place, state } = journal;
    const tool = state.task?.tool ?? '';
    const room = place.startStep(tool, step.key, signal);
    try {
      if (room !== undefined) await room;
      if (!lease.isHeld) await lease.held(signal);
    } catch {
      // The pass has ended: another worker runs the step.
      return;
    }
    const draft = await step.run();
    if (draft?.type === 'CompleteStep') place.endStep(tool, step.key, heldBytes(draft.value));
    else place.freeStep(step.key);
    if (this.running.get(step.key) === step) this.end(step, draft);
  }

  /** Ends the step of that key if its time has expired; notes that it runs if that takes long. */
  look(key: string, now: number): void {
    const step = this.running.get(key);
    if (step === undefined) return;
    if (step.isOverdue(now)) return this.end(step, step.timeOut());
    const noted = step.note(now);
    if (noted === undefined) return;
    this.deps.alarm.set(key, step.lookAt);
    this.deps.onNoted(noted);
  }

  abort(reason: Error): void {
    for (const step of this.running.values()) step.abort(reason);
  }

  private end({ key }: RunningStep, draft: PassDraft | undefined): void {
    this.running.delete(key);
    this.deps.onEnd(draft);
  }
}
