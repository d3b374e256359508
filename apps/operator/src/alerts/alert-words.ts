const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;

/** A duration in its largest unit, such as `3 hours`. */
export function durationInWords(ms: number): string {
  const [unit, size] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? ['seconds', 1_000];
  const count = Math.round(ms / size);
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
