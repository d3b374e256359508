/** Times and durations in a readable form. */
import { signal } from '@preact/signals';

/** The present time; relative times are updated with it. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `2 h 5 min`: the two largest units. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const at = UNITS.findIndex(([, size]) => ms >= size);
  let rest = ms;
  const parts = UNITS.slice(at, at + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count} ${unit}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The time itself, in the reader's time zone. */
export function timeText(at: string | number): string {
  return exact.format(new Date(at));
}

/** How long ago an instant was, or when it is due. */
export function Ago({ at }: { readonly at: string }) {
  const ms = now.value - Date.parse(at);
  const text = ms < 0 ? (ms > -1_000 ? 'now' : `in ${durationText(-ms)}`) : ms < 1_000 ? 'now' : `${durationText(ms)} ago`;
  return (
    <time dateTime={at} title={timeText(at)}>
      {text}
    </time>
  );
}

/** How long a period has lasted, or lasts so far. */
export function Lasting({ from, to }: { readonly from: string; readonly to?: string | undefined }) {
  return <>{durationText((to === undefined ? now.value : Date.parse(to)) - Date.parse(from))}</>;
}

/** An instant in the reader's time zone, in the form of a time field; empty for an invalid instant. */
export function localTimeOf(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
