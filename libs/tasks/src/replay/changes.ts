import type { PassRun } from './pass-run.js';

/** Decides for each changed place in the code whether a task takes the old or the new code: see `TaskContext.changed`. */
export class Changes {
  /** The decisions of this pass. False is not recorded: the operations recorded behind it show it in every pass. */
  private readonly answers = new Map<string, boolean>();

  constructor(private readonly run: PassRun) {}

  /** @throws TaskError `INVALID_KEY` */
  has(name: string): boolean {
    const key = this.run.keys.change(name);
    const answer = this.answers.get(key) ?? this.decide(key);
    this.answers.set(key, answer);
    return answer;
  }

  private decide(key: string): boolean {
    if (this.run.recorded(key, 'step') !== undefined) return true;
    if (this.run.isBehindRecord) return false;
    this.run.put({ type: 'CompleteStep', key, value: true });
    return true;
  }
}
