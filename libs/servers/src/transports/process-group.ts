/** Ends a process together with all processes that it has started. They end with this process, also when this process is killed. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithThisProcess, STARTED_BY } from '@longhaul/runtime/reaper';
import { descendantsOf, markedProcesses } from './descendants.js';

/** How long it may take to end by itself, and after each signal. */
const GRACE_MS = 2_000;
const POLL_MS = 20;

const running = new Set<ProcessGroup>();
/** A program that ends without closing leaves no process behind; `exit` has no time to ask politely. */
const killAll = (): void => {
  for (const group of running) group.killNow();
};

/** The group that a child leads that was started `detached`, and what its members have started in other groups; on Windows the child alone. */
export class ProcessGroup {
  readonly #pid: number;
  readonly #hasEnded: () => void;
  #end: Promise<void> | undefined;
  /** Processes that members of the group have started, as far as a look at the system found them. */
  readonly #descendants = new Set<number>();

  /** @param mark the value of `STARTED_BY_LONGHAUL` that the child was given: it finds daemons too */
  constructor(
    private readonly child: ChildProcess,
    private readonly mark: string,
  ) {
    this.#pid = child.pid ?? 0;
    this.#hasEnded = endWithThisProcess(-this.#pid);
    if (running.size === 0) process.once('exit', killAll);
    running.add(this);
  }

  /** Waits for the end of the child, asks those that are left to end, then makes them. Resolves when there are none. */
  end(): Promise<void> {
    this.#end ??= this.#bringToEnd();
    return this.#end;
  }

  killNow(): void {
    this.#look();
    this.#signal('SIGKILL');
  }

  /** @returns whether there is still somebody to signal */
  #signal(signal: NodeJS.Signals | 0): boolean {
    if (process.platform === 'win32') return this.child.exitCode === null && this.child.kill(signal);
    return [-this.#pid, ...this.#descendants].map((target) => isSignalled(target, signal)).includes(true);
  }

  #look(): void {
    for (const pid of [...descendantsOf(this.#pid), ...markedProcesses(`${STARTED_BY}=${this.mark}`)]) this.#descendants.add(pid);
  }

  async #bringToEnd(): Promise<void> {
    const { child } = this;
    // When their parent has ended, their origin is unknown.
    this.#look();
    await this.#isTrueWithin(() => child.exitCode !== null || child.signalCode !== null);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      this.#look();
      this.#signal(signal);
      if (await this.#isTrueWithin(() => !this.#signal(0))) break;
    }
    this.#hasEnded();
    running.delete(this);
    if (running.size === 0) process.off('exit', killAll);
  }

  async #isTrueWithin(condition: () => boolean): Promise<boolean> {
    for (const until = Date.now() + GRACE_MS; !condition(); await wait(POLL_MS)) if (Date.now() > until) return false;
    return true;
  }
}

function isSignalled(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
