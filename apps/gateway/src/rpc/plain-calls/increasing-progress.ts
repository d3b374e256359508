/**
 * Makes the values of progress of one request: each is larger than the one before, as the specification wants it, though signs of life are
 * sent between the reports of the tool. A sign of life is larger than the latest report by a billionth for each second that the task exists,
 * so that it needs no memory: another gateway that continues the request sends larger ones. It stays far below the tool's next report.
 */
import type { Progress } from '@longhaul/tasks';

/** The increase for each second, as a part of the value. */
const PART_PER_SECOND = 1e-9;

export class IncreasingProgress {
  /** @param last the value that was sent last for this request */
  constructor(private last?: number) {}

  /** The value to send for a report of the tool. Nothing if none is larger than the last one. */
  report(progress: number): number | undefined {
    return this.#next(progress);
  }

  /**
   * The value of a sign of life.
   *
   * @param reported the task's latest progress @defaultValue 0
   * @param ageMs the age of the task, milliseconds
   */
  sign(reported: number | undefined, ageMs: number): number | undefined {
    const base = reported ?? 0;
    return this.#next(base + (Math.max(0, ageMs) / 1_000) * PART_PER_SECOND * Math.max(1, Math.abs(base)));
  }

  #next(wanted: number): number | undefined {
    const next = this.last === undefined || wanted > this.last ? wanted : above(this.last);
    if (!Number.isFinite(next) || next === this.last) return undefined;
    this.last = next;
    return next;
  }
}

/** A number that is hardly larger. */
function above(value: number): number {
  return value + Number.EPSILON * Math.max(1, Math.abs(value));
}

/** The last message of a task. */
export function messageOf(progress: Progress | undefined, statusMessage: string | undefined): string | undefined {
  return progress?.message ?? statusMessage;
}
