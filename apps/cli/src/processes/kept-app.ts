import { setTimeout as delay } from 'node:timers/promises';

import type { AppProcess, ReadyMessage } from './app-process.js';

/** An app that ends more often than this is not worth starting again. */
const MAX_ENDS = 5;
const WITHIN_MS = 60_000;
const PAUSE_MS = 100;

/** An app that is started again when it ends by itself. */
export interface KeptApp {
  /** Resolves when it is ready for the first time. @throws UserError when it does not get so far */
  readonly ready: Promise<ReadyMessage>;
  /** Resolves with the reason when the app has failed permanently and is not started again. */
  readonly failed: Promise<string>;
  /** Starts another one of its kind, which then may take its place. */
  replacement(): Replacement;
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

/** An app that is to take the place of one that runs. */
export interface Replacement {
  /** Resolves when it has loaded everything. @throws UserError with its last words when it does not get so far */
  readonly loaded: Promise<void>;
  /** Ends it: the one that runs stays. */
  drop(): void;
  /** Asks the one that runs to end, within `graceMs`. Resolves when this one is ready. @throws UserError when it does not get so far */
  takeOver(graceMs: number): Promise<void>;
}

/** What is needed to keep an app. */
export interface KeepOptions {
  /** Called each time that it has to be started. @param takesOver whether one runs, which ends when this one has loaded everything */
  readonly start: (takesOver: boolean) => AppProcess;
  /** Aborts when it is to end. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** The pause before it is started again; as often as it has ended lately. Default 100. */
  readonly pauseMs?: number;
  /** Milliseconds from some moment on. */
  readonly clock?: () => number;
}

/** Starts an app and keeps it running. */
export function keepApp({ start, signal, log, pauseMs = PAUSE_MS, clock = () => performance.now() }: KeepOptions): KeptApp {
  let app = start(false);
  /** Those that were replaced, and finish what they had begun. */
  const leaving = new Set<AppProcess>();
  let isStopping = false;
  const ready = app.ready(signal);
  const keep = async (): Promise<string> => {
    const ends: number[] = [];
    for (;;) {
      const current = app;
      const how = await current.ended;
      if (current !== app) continue;
      const now = clock();
      ends.push(now);
      const count = ends.filter((at) => now - at < WITHIN_MS).length;
      if (count > MAX_ENDS) return `the ${app.name} has ended ${count} times within ${WITHIN_MS / 1_000} s (now with ${how})`;
      if (!isStopping) log(`the ${app.name} has ended (${how}) and is started again`);
      await delay(pauseMs * count);
      if (isStopping) return new Promise<never>(() => undefined);
      if (current !== app) continue;
      app = start(false);
      const restarted = app;
      restarted.ready(signal).catch((error: unknown) => {
        if (!isStopping) log(textOf(error));
        restarted.kill();
      });
    }
  };
  return {
    ready,
    // What ends before it was ready will not be better the next time.
    failed: ready.then(keep, textOf),
    replacement() {
      const next = start(true);
      return {
        loaded: next.loaded(signal),
        drop: () => next.kill(),
        async takeOver(graceMs) {
          const before = app;
          app = next;
          leaving.add(before);
          void before.stop(graceMs).finally(() => leaving.delete(before));
          await next.ready(signal);
        },
      };
    },
    async stop(graceMs) {
      isStopping = true;
      await Promise.all([app, ...leaving].map((each) => each.stop(graceMs)));
    },
    kill: () => {
      for (const each of [app, ...leaving]) each.kill();
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
