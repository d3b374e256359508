/** Defines the errors of what operators do with schedules. Codes are stable; match on them. */
export const SCHEDULE_ERRORS = {
  SCHEDULE_NOT_FOUND: 'There is no schedule of that name.',
  SCHEDULE_EXISTS: 'There is a schedule of that name already.',
  SCHEDULE_FROM_FILE: 'The schedule comes from LONGHAUL_SCHEDULES: change it there. It can be paused, resumed, run and backfilled here.',
  INVALID_SCHEDULE: 'A member of the schedule, or of the request, cannot be what it is.',
  TOO_MANY_SCHEDULES: 'There are as many schedules as allowed.',
  TOO_MANY_WAITING: 'As many backfills and runs of the schedule wait as allowed.',
} as const;

/** A stable code of `SCHEDULE_ERRORS`. */
export type ScheduleErrorCode = keyof typeof SCHEDULE_ERRORS;

/** An error with a stable `code`, and the field that it is about. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';

  constructor(
    readonly code: ScheduleErrorCode,
    message: string = SCHEDULE_ERRORS[code],
    readonly field?: string,
  ) {
    super(message);
  }
}
