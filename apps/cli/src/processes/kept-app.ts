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
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

/** What is needed to keep an app. */
export interface KeepOptions {
  /** Called each time that it has to be started. */
  readonly start: () => AppProcess;
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
  let app = start();
  let isStopping = false;
  const ready = app.ready(signal);
  const keep = async (): Promise<string> => {
    const ends: number[] = [];
    for (;;) {
      const how = await app.ended;
      const now = clock();
      ends.push(now);
      const count = ends.filter((at) => now - at < WITHIN_MS).length;
      if (count > MAX_ENDS) return `the ${app.name} has ended ${count} times within ${WITHIN_MS / 1_000} s (now with ${how})`;
      if (!isStopping) log(`the ${app.name} has ended (${how}) and is started again`);
      await delay(pauseMs * count);
      if (isStopping) return new Promise<never>(() => undefined);
      app = start();
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
    async stop(graceMs) {
      isStopping = true;
      await app.stop(graceMs);
    },
    kill: () => app.kill(),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
