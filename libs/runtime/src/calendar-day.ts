/** Whether the calendar has the day, as in `2026-01-31`: JavaScript takes 30 February for a day of March. */
export function isCalendarDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
