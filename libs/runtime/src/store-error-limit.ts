/**
 * Keeps an outage, or a full Redis, from filling the log: each failed request, heartbeat and job logs a line, and all lines say the same.
 * One line a minute reports each of the two, and the number of lines that were left out.
 */
import { faultOf } from '@longhaul/redis/fault';

const INTERVAL_MS = 60_000;

/** Called with the arguments of a log line. */
type LogMethod = (this: unknown, ...args: unknown[]) => void;

/** The `hooks` of a pino logger. */
export interface LogHooks {
  logMethod(this: unknown, args: unknown[], method: LogMethod): void;
}

interface Window {
  leftOut: number;
  /** Writes the latest of the lines that were left out. */
  write: (leftOut: number) => void;
}

/**
 * Hooks that let one line pass in each interval whose `err` says that the store is unreachable, and one that says it is full. At the end of
 * the interval the latest suppressed line is written, with the number of suppressed lines as `leftOut`. Other lines pass.
 *
 * @param intervalMs default: a minute
 */
export function limitStoreErrors(intervalMs = INTERVAL_MS): LogHooks {
  const windows = new Map<string, Window>();
  const open = (kind: string): void => {
    const window: Window = { leftOut: 0, write: () => undefined };
    windows.set(kind, window);
    setTimeout(() => {
      windows.delete(kind);
      if (window.leftOut === 0) return;
      open(kind);
      window.write(window.leftOut);
    }, intervalMs).unref();
  };
  return {
    logMethod(args, method) {
      const [first, ...rest] = args;
      const kind = kindOf(first);
      const window = kind === undefined ? undefined : windows.get(kind);
      if (window !== undefined) {
        window.leftOut += 1;
        window.write = (leftOut) => method.apply(this, [{ ...(first as object), leftOut }, ...rest]);
        return;
      }
      if (kind !== undefined) open(kind);
      method.apply(this, args);
    },
  };
}

/** The depth to which causes of causes are searched. */
const MAX_CAUSES = 6;

function kindOf(first: unknown): string | undefined {
  let error: unknown = typeof first === 'object' && first !== null && 'err' in first ? first.err : undefined;
  // An error may be its own cause.
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const code = 'code' in error ? error.code : undefined;
    const fault = faultOf(error) ?? (code === 'STORE_UNAVAILABLE' ? 'away' : code === 'STORE_FULL' ? 'full' : undefined);
    if (fault !== undefined) return fault;
    error = error.cause;
  }
  return undefined;
}
