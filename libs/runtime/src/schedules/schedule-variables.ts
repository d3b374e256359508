/** Defines the settings of schedules: those that the operators' process has too, and the file, which only workers read. */
import { wholeNumber } from '../environment.js';
import { schedulesSetting } from './schedule-settings.js';

const MOST = 100_000;

/** The variables that workers and the operators' process read. */
export const scheduleVariables = {
  LONGHAUL_MAX_SCHEDULES: wholeNumber(1, MOST, 10_000),
  LONGHAUL_MAX_SCHEDULES_PER_TENANT: wholeNumber(1, MOST, 1_000),
  LONGHAUL_SCHEDULE_EVENTS: wholeNumber(10, 10_000, 200),
};

/** The variable that only workers read. */
export const schedulesFileVariable = { LONGHAUL_SCHEDULES: schedulesSetting };

/** The settings in the words of the code. */
export interface ScheduleSettings {
  /** How many schedules there may be: in all, and of the owners of one tenant. */
  readonly limits: { readonly all: number; readonly ofTenant: number };
  /** Events of a schedule that are kept as its history. */
  readonly keepEvents: number;
}

interface Parsed {
  readonly LONGHAUL_MAX_SCHEDULES: number;
  readonly LONGHAUL_MAX_SCHEDULES_PER_TENANT: number;
  readonly LONGHAUL_SCHEDULE_EVENTS: number;
}

/** The parsed variables. */
export function scheduleSettings(data: Parsed): ScheduleSettings {
  return {
    limits: { all: data.LONGHAUL_MAX_SCHEDULES, ofTenant: data.LONGHAUL_MAX_SCHEDULES_PER_TENANT },
    keepEvents: data.LONGHAUL_SCHEDULE_EVENTS,
  };
}
