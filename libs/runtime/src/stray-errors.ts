/**
 * Handles errors that no code catches: errors of timers, events and forgotten promises. An error of a feature's own code is logged with the
 * feature's name, and the process continues, because the rest of it is not affected. After any other error the state of the process is
 * unknown: it ends in an orderly way, and its supervisor starts another one.
 */
import { isAway } from '@longhaul/redis/fault';
import { readableThrown } from './readable-thrown.js';

/** Where stray errors are logged. */
export interface StrayErrorLog {
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}

/** A feature, and its task, if it runs for one. */
export interface Blamed {
  readonly kind: string;
  readonly name: string;
  readonly taskId?: string;
}

/** How stray errors are handled. */
export interface StrayErrorOptions {
  readonly log: StrayErrorLog;
  /** The feature whose code has thrown, if a feature has. */
  readonly blamed: () => Blamed | undefined;
  /** The logged form of a feature's error. @defaultValue the error, with its message */
  readonly shown?: ((error: unknown) => unknown) | undefined;
  /** Ends the process as one that has failed, but in an orderly way. May be called several times. */
  readonly end: (reason: string) => void;
}

/** Handles the stray errors of this process from now on. */
export function watchStrayErrors({ log, blamed, shown = (error) => error, end }: StrayErrorOptions): void {
  const isOfFeature = (error: unknown): boolean => logOfFeature(log, blamed(), shown(error));
  process.on('uncaughtException', (thrown: unknown) => {
    const error = readableThrown(thrown);
    if (isOfFeature(error)) return;
    log.fatal({ err: error }, 'an uncaught error of no feature: the process ends');
    end(`an uncaught error: ${textOf(error)}`);
  });
  process.on('unhandledRejection', (thrown) => {
    const error = readableThrown(thrown);
    if (isOfFeature(error)) return;
    // A Redis command whose result no caller waits for leaves nothing half done.
    if (isOfOutage(error)) return log.error({ err: error }, 'an unhandled rejection');
    log.fatal({ err: error }, 'an unhandled rejection of no feature: the process ends');
    end(`an unhandled rejection: ${textOf(error)}`);
  });
}

/** @returns false if no feature is to blame */
function logOfFeature(log: StrayErrorLog, feature: Blamed | undefined, error: unknown): boolean {
  if (feature === undefined) return false;
  const { taskId, ...named } = feature;
  log.error({ err: error, feature: named, ...(taskId !== undefined && { taskId }) }, 'an uncaught error of a feature');
  return true;
}

function isOfOutage(error: unknown): boolean {
  return isAway(error) || (error instanceof Error && 'code' in error && error.code === 'STORE_UNAVAILABLE');
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
