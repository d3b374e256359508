import { heldBytes } from '../history/held-bytes.js';
import type { PassDraft } from './drafts.js';
import type { PassAlarm } from './pass-alarm.js';
import type { PassJournal } from './pass-journal.js';
import type { RunningStep } from './running-step.js';
import type { StepPermit } from './step-permit.js';

/** Dependencies of the steps of a pass. */
export interface RunningStepsDeps {
  readonly journal: PassJournal;
  readonly alarm: PassAlarm;
  /** Aborts when the pass has ended, or this worker no longer has its task. */
  readonly signal: AbortSignal;
  readonly permit: StepPermit;
  /** Called when a step has waited and may not begin at the moment, so that it must be started again. */
  readonly onDelayed: (key: string) => void;
  /** Called when a running step has something to record. */
  readonly onNoted: (draft: PassDraft) => void;
  /** Called when a step has ended, with its record, if it has one. */
  readonly onEnd: (draft: PassDraft | undefined) => void;
}

/** The steps that run in a pass. A step that exceeds its time limit is left behind: its later result is ignored. */
export class RunningSteps {
  private readonly running = new Map<string, RunningStep>();
  /** How many of them create children. */
  creations = 0;

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

  /** Runs a step, as soon as there is room for its value. */
  async run(step: RunningStep): Promise<void> {
    const { journal, alarm, signal } = this.deps;
    this.running.set(step.key, step);
    if (step.createsChild) this.creations += 1;
    alarm.set(step.key, step.lookAt);
    const { place, state } = journal;
    const tool = state.task?.tool ?? '';
    const room = place.startStep(tool, step.key, signal);
    if (room !== undefined && !(await this.hasRoom(room, step))) return;
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

  /** Waits for room. @returns whether the step begins: meanwhile its time may have expired, or another worker may have its task */
  private async hasRoom(room: Promise<void>, step: RunningStep): Promise<boolean> {
    const { key } = step;
    const { journal, signal, permit, onDelayed } = this.deps;
    try {
      await room;
    } catch {
      // The pass has ended: another worker runs the step.
      return false;
    }
    const isWanted = this.running.get(key) === step && !signal.aborted;
    if (isWanted && permit.get() === 'given') return true;
    journal.place.freeStep(key);
    if (isWanted) {
      onDelayed(key);
      this.end(step, undefined);
    }
    return false;
  }

  private end(step: RunningStep, draft: PassDraft | undefined): void {
    this.running.delete(step.key);
    if (step.createsChild) this.creations -= 1;
    // Before the end of the try, so that no try is recorded without it.
    if (draft !== undefined && step.spending !== undefined) this.deps.onNoted(step.spending);
    this.deps.onEnd(draft);
  }
}
