/** Defines the settings of schedules: those that the operators' process has too, and the file, which only workers read. */
import { JSON_OR_PATH, settings, wholeNumber } from '../settings.js';
import { schedulesSetting } from './schedule-settings.js';

const MOST = 100_000;

/** The variables that workers and the operators' process read. */
export const scheduleVariables = settings('tasks', {
  LONGHAUL_MAX_SCHEDULES: wholeNumber(1, MOST, 10_000).describe('Schedules of your whole deployment'),
  LONGHAUL_MAX_SCHEDULES_PER_TENANT: wholeNumber(1, MOST, 1_000).describe(
    'Schedules of one tenant, or of one owner if its tokens name no tenant',
  ),
  LONGHAUL_SCHEDULE_EVENTS: wholeNumber(10, 10_000, 200).describe('Events in the history of a schedule'),
});

/** The variable that only workers read. */
export const schedulesFileVariable = settings('served', {
  LONGHAUL_SCHEDULES: schedulesSetting.meta({
    allowed: JSON_OR_PATH,
    description: 'Tools that you want to start on a schedule: see [schedules](schedules.md)',
  }),
});

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
