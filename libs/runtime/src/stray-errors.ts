/**
 * Errors that nobody catches: those of timers, events and forgotten promises. One of a feature's own code is logged
 * with the feature's name, and the process goes on, because the rest of it is not touched. After any other one nobody
 * knows what state the process is in: it ends in an orderly way, and its supervisor starts another one.
 */
import { isAway } from '@longhaul/redis/fault';
import { readableThrown } from './readable-thrown.js';

/** Where they are written. */
export interface StrayErrorLog {
  error(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}

/** A feature, and the task that it runs for, if it does for one. */
export interface Blamed {
  readonly kind: string;
  readonly name: string;
  readonly taskId?: string;
}

/** What becomes of stray errors. */
export interface StrayErrorOptions {
  readonly log: StrayErrorLog;
  /** Whose code it is that has thrown, if it is a feature's. */
  readonly blamed: () => Blamed | undefined;
  /** What is written of an error of a feature. @defaultValue the error, with its message */
  readonly shown?: ((error: unknown) => unknown) | undefined;
  /** Ends the process as one that has failed, but in an orderly way. May be called several times. */
  readonly end: (reason: string) => void;
}

/** From now on, stray errors of this process are dealt with. */
export function watchStrayErrors({ log, blamed, shown = (error) => error, end }: StrayErrorOptions): void {
  const isOfFeature = (error: unknown): boolean => logOfFeature(log, blamed(), shown(error));
  process.on('uncaughtException', (thrown: unknown) => {
    const error = readableThrown(thrown);
    if (isOfFeature(error)) return;
    log.fatal({ err: error }, 'an error that nobody caught and that is of no feature: the process ends');
    end(`an error that nobody caught: ${textOf(error)}`);
  });
  process.on('unhandledRejection', (thrown) => {
    const error = readableThrown(thrown);
    if (isOfFeature(error)) return;
    // What was asked of Redis and is waited for by nobody leaves nothing half done.
    if (isOfOutage(error)) return log.error({ err: error }, 'a rejection that nobody handled');
    log.fatal({ err: error }, 'a rejection that nobody handled and that is of no feature: the process ends');
    end(`a rejection that nobody handled: ${textOf(error)}`);
  });
}

/** @returns false where no feature is to blame */
function logOfFeature(log: StrayErrorLog, feature: Blamed | undefined, error: unknown): boolean {
  if (feature === undefined) return false;
  const { taskId, ...named } = feature;
  log.error({ err: error, feature: named, ...(taskId !== undefined && { taskId }) }, 'an error of a feature that nobody caught');
  return true;
}

function isOfOutage(error: unknown): boolean {
  return isAway(error) || (error instanceof Error && 'code' in error && error.code === 'STORE_UNAVAILABLE');
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
