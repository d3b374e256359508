import type { Logger } from 'pino';

const QUIET_MS = 60_000;

/** Logs a warning about one of many clients. */
export type RareWarning = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Warnings that many clients can cause: each text is logged at most once a minute, with the number of times since the last one. */
export function rareWarnings(logger: Pick<Logger, 'warn'>, clock = () => performance.now()): RareWarning {
  const said = new Map<string, { at: number; times: number }>();
  return (message, fields = {}) => {
    const before = said.get(message);
    if (before !== undefined && clock() - before.at < QUIET_MS) return void before.times++;
    said.set(message, { at: clock(), times: 1 });
    logger.warn({ ...fields, times: before?.times ?? 1 }, message);
  };
}
