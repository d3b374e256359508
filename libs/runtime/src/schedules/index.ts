export { type DueRule, type DueTimes, dueTimes } from './due-times.js';
export {
  durationText,
  firstTimeOf,
  msOfDuration,
  OVERLAPS,
  problemOfName,
  ruleOf,
  SCHEDULE_LIMITS,
  scheduleShape,
  type ScheduleShape,
  type SchedulesConfig,
  schedulesSetting,
} from './schedule-settings.js';
export { type ScheduleSettings, scheduleSettings, scheduleVariables, schedulesFileVariable } from './schedule-variables.js';
