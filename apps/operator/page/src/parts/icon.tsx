/** Draws small pictures, which stand beside words and never alone. */

/** Paths in a square of 16 pixels. */
const PATHS = {
  running: 'M5 3.5v9l7-4.5z',
  queued: 'M3 4h10M3 8h10M3 12h6',
  scheduled: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 2.5V8l2.5 2',
  asks: 'M6 6a2 2 0 1 1 2.6 1.9c-.4.1-.6.5-.6.9v.7M8 12v.01M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z',
  signal: 'M8 9v5M5 6a4 4 0 0 1 6 0M3 3.5a7 7 0 0 1 10 0M8 8.5v.01',
  completed: 'M3 8.5l3.2 3.2L13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM4 12l8-8',
  paused: 'M5.5 3v10M10.5 3v10',
  warning: 'M8 2L1.5 13.5h13zM8 6.5V10M8 12v.01',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
