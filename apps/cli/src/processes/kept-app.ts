import { setTimeout as delay } from 'node:timers/promises';

import type { AppProcess, LauncherMessage, ReadyMessage } from './app-process.js';

/** The most ends of an app within a minute before it counts as troubled. */
const MAX_ENDS = 5;
const WITHIN_MS = 60_000;
const PAUSE_MS = 100;
/** The longest pause, in pauses. A troubled app must run for so long before it counts as healthy. */
const LONGEST_PAUSE = 100;

/** Keeps an app running: starts it again whenever it ends by itself. The pause before a start grows if the app ends again and again. */
export interface KeptApp {
  /** Resolves when it is ready for the first time. @throws UserError when it does not get so far */
  readonly ready: Promise<ReadyMessage>;
  /** Resolves with the reason when the app was never ready: it is not started again. */
  readonly failed: Promise<string>;
  /** Says it to the app, and to each one that takes its place, until something else is said. */
  tell(message: LauncherMessage): void;
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

/** The parts that keep an app running. */
export interface KeepOptions {
  /** Called for each start. @param takesOver whether an app still runs, which ends when the new one has loaded everything */
  readonly start: (takesOver: boolean) => AppProcess;
  /** Aborts when it is to end. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Called with true when it ends again and again, and with false when it runs again. */
  readonly onTrouble?: (isInTrouble: boolean) => void;
  /** The pause before it is started again; twice as long for each time that it has ended lately. Default 100. */
  readonly pauseMs?: number;
  /** Milliseconds from some moment on. */
  readonly clock?: () => number;
}

/** Starts an app and keeps it running. */
export function keepApp(options: KeepOptions): KeptApp {
  const app = new RunningApp(options);
  return {
    ready: app.ready,
    // An app that ends before it was ready will fail again.
    failed: app.ready.then(() => app.keep(), textOf),
    tell: (message) => app.tell(message),
    replacement: () => app.replacement(),
    stop: (graceMs) => app.stop(graceMs),
    kill: () => app.kill(),
  };
}

class RunningApp {
  readonly ready: Promise<ReadyMessage>;
  private app: AppProcess;
  /** Those that were replaced, and finish what they had begun. */
  private readonly leaving = new Set<AppProcess>();
  private readonly stopping = new AbortController();
  private readonly pauseMs: number;
  private readonly clock: () => number;
  private ends: readonly number[] = [];
  private isInTrouble = false;
  private told: LauncherMessage | undefined;

  constructor(private readonly options: KeepOptions) {
    this.pauseMs = options.pauseMs ?? PAUSE_MS;
    this.clock = options.clock ?? (() => performance.now());
    this.app = options.start(false);
    this.ready = this.app.ready(options.signal);
  }

  /** Starts it again whenever it has ended. Never resolves. */
  async keep(): Promise<never> {
    const { options, stopping } = this;
    for (;;) {
      const current = this.app;
      const how = await current.ended;
      if (current !== this.app) continue;
      const pauseMs = this.noteEnd(how);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return new Promise<never>(() => undefined);
      if (current !== this.app) continue;
      const restarted = this.use(options.start(false));
      this.untilSteady(restarted).catch((error: unknown) => {
        if (!stopping.signal.aborted) options.log(textOf(error));
        restarted.kill();
      });
    }
  }

  tell(message: LauncherMessage): void {
    this.told = message;
    this.app.tell(message);
  }

  replacement(): Replacement {
    const { start, signal } = this.options;
    const next = start(true);
    return {
      loaded: next.loaded(signal),
      drop: () => next.kill(),
      takeOver: async (graceMs) => {
        const before = this.app;
        this.use(next);
        this.leaving.add(before);
        void before.stop(graceMs).finally(() => this.leaving.delete(before));
        await next.ready(signal);
        void this.untilSteady(next);
      },
    };
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.app, ...this.leaving].map((each) => each.stop(graceMs)));
  }

  kill(): void {
    for (const each of [this.app, ...this.leaving]) each.kill();
  }

  private use(app: AppProcess): AppProcess {
    this.app = app;
    if (this.told !== undefined) app.tell(this.told);
    return app;
  }

  /** @returns the pause until the next start */
  private noteEnd(how: string): number {
    const { name } = this.app;
    const now = this.clock();
    this.ends = [...this.ends.filter((at) => now - at < WITHIN_MS), now];
    const count = this.ends.length;
    const pauseMs = this.pauseMs * Math.min(2 ** (count - 1), LONGEST_PAUSE);
    if (this.stopping.signal.aborted) return pauseMs;
    if (count <= MAX_ENDS) this.options.log(`the ${name} has ended (${how}) and is started again`);
    else {
      const often = `${count} times within ${WITHIN_MS / 1_000} s (now with ${how})`;
      this.options.log(`the ${name} has ended ${often}: it is started again in ${pauseMs / 1_000} s, and the rest continues`);
      this.isInTrouble = true;
      this.options.onTrouble?.(true);
    }
    return pauseMs;
  }

  /** Resolves when it has run for long enough, or has ended. @throws UserError when it does not become ready */
  private async untilSteady(app: AppProcess): Promise<void> {
    await app.ready(this.options.signal);
    if (!this.isInTrouble) return;
    const steadyMs = this.pauseMs * LONGEST_PAUSE;
    const waited = new AbortController();
    const { signal } = this.stopping;
    const isSteady = await Promise.race([
      app.ended.then(() => false),
      delay(steadyMs, true, { signal: AbortSignal.any([waited.signal, signal]) }).catch(() => false),
    ]);
    waited.abort();
    if (!isSteady || app !== this.app) return;
    this.isInTrouble = false;
    this.options.onTrouble?.(false);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
