/**
 * Finds the call that a question of a server of protocol version 2025-11-25 belongs to. A question says so by its task, by the stream on which
 * it comes, or by the progress token of the call. On standard input and output it mostly says nothing. Then it belongs to a call that ran
 * when it came, and that does not end before the answer: the call that is left when the others have ended. Tools that have asked so are
 * called one after the other from then on, so that there is one such call.
 */
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import type { ActiveCall } from '../active-call.js';
import type { InputKind } from '../input.js';
import { untilAborted, waitAtMost } from '../waits.js';

/** How long a question waits until it is known which call asks it. */
const MAX_SEARCH_MS = 60_000;
/** How long a call waits for the calls of tools that ask. The answer of a person may take days, so it is made then in any case. */
const MAX_TURN_MS = 30_000;
/** Most tools of which is known that they ask. */
const MAX_TOOLS = 1_000;

/** A question as it came. */
export interface ComingQuestion {
  readonly kind: InputKind;
  readonly params: unknown;
  /** The request on whose stream it came, if that is known. */
  readonly origin: string | undefined;
  /** Aborted when the answer is not needed any more. */
  readonly signal: AbortSignal;
}

/** Nobody, another process in the same session, or the call. */
export type Asker = ActiveCall | 'somebody else' | undefined;

export class AskingCalls {
  /** Tools that have asked without saying so. */
  readonly #tools = new Set<string>();
  /** The open questions of each call. */
  readonly #open = new Map<ActiveCall, number>();
  /** The calls that may have asked, of each question that waits to be assigned. */
  readonly #searches: (readonly ActiveCall[])[] = [];
  #change = Promise.withResolvers<void>();

  constructor(
    /** All that are under way, the oldest first. */
    private readonly calls: ReadonlySet<ActiveCall>,
    /** Whether all calls are for one user, who may be asked also where it is uncertain which call asks. */
    private readonly isOneUser: boolean,
  ) {}

  /** Waits until no earlier call runs whose questions would be mistaken for those of this one. */
  async turn(call: ActiveCall): Promise<void> {
    const until = Date.now() + MAX_TURN_MS;
    while (this.#tools.has(call.tool) && Date.now() < until && !call.signal.aborted) {
      const all = [...this.calls];
      const before = all.slice(0, all.indexOf(call)).filter((other) => isCall(other) && this.#tools.has(other.tool));
      if (before.length === 0) return;
      await waitAtMost(until - Date.now(), Promise.race([...before.map(({ answered }) => answered), aborted(call.signal)]));
    }
  }

  /** The call that asks. */
  async of(question: ComingQuestion): Promise<Asker> {
    const { taskId, progressToken } = metaOf(question.params);
    if (taskId !== undefined) return this.#ofTask(taskId);
    const { origin } = question;
    if (origin !== undefined) return this.#find(({ requestIds }) => requestIds.has(origin));
    const reporting = progressToken === undefined ? undefined : this.#find((call) => call.progressToken === progressToken);
    return reporting ?? (await this.#search(question));
  }

  /** Runs while the call's question is open. */
  async during<T>(call: Asker, run: () => Promise<T>): Promise<T> {
    if (typeof call !== 'object') return run();
    this.#open.set(call, (this.#open.get(call) ?? 0) + 1);
    this.#changed();
    try {
      return await run();
    } finally {
      const left = (this.#open.get(call) ?? 1) - 1;
      if (left === 0) this.#open.delete(call);
      else this.#open.set(call, left);
      this.#changed();
    }
  }

  #find(test: (call: ActiveCall) => boolean): ActiveCall | undefined {
    return [...this.calls].find(test);
  }

  #running(): ActiveCall[] {
    return [...this.calls].filter(isSent);
  }

  /** The task may belong to another process in the same session. */
  async #ofTask(taskId: unknown): Promise<Asker> {
    for (;;) {
      const call = this.#find(({ reference }) => reference?.taskId === taskId);
      if (call !== undefined) return call;
      const running = this.#running();
      if (running.length === 0) return 'somebody else';
      // The question may have overtaken the handle of its task.
      await Promise.race(running.map(({ answered }) => answered));
    }
  }

  async #search({ kind, signal }: ComingQuestion): Promise<ActiveCall | undefined> {
    const candidates = this.#running();
    // One function answers for all of them.
    if (candidates.length > 1 && !candidates.some((call) => call.answersItself(kind))) return undefined;
    this.#searches.push(candidates);
    this.#changed();
    try {
      return this.#noted(await this.#chosen(candidates, signal));
    } finally {
      this.#searches.splice(this.#searches.indexOf(candidates), 1);
      this.#changed();
    }
  }

  async #chosen(candidates: readonly ActiveCall[], signal: AbortSignal): Promise<ActiveCall | undefined> {
    const until = Date.now() + MAX_SEARCH_MS;
    for (;;) {
      const left = candidates.filter((call) => this.calls.has(call) && isCall(call));
      if (left.length < 2) return left[0];
      const likely = this.isOneUser ? this.#likely(left, candidates) : undefined;
      if (likely !== undefined) return likely;
      if (Date.now() >= until) return this.isOneUser ? left[0] : undefined;
      const next = Promise.race([...left.map(({ answered }) => answered), this.#change.promise]);
      await untilAborted(waitAtMost(until - Date.now(), next), signal);
    }
  }

  /**
   * The only call that has no open question, or whose tool is known to ask. If as many questions as calls are left, each call asks, and the
   * order decides.
   */
  #likely(left: readonly ActiveCall[], candidates: readonly ActiveCall[]): ActiveCall | undefined {
    const free = left.filter((call) => !this.#open.has(call));
    const possible = free.length > 0 ? free : left;
    if (possible.length === 1) return possible[0];
    const asking = possible.filter(({ tool }) => this.#tools.has(tool));
    if (asking.length === 1) return asking[0];
    return this.#searches.length < possible.length ? undefined : possible[this.#searches.indexOf(candidates)];
  }

  #noted(call: ActiveCall | undefined): ActiveCall | undefined {
    if (call !== undefined && this.#tools.size < MAX_TOOLS) this.#tools.add(call.tool);
    return call;
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

/** Whether it is no task, or none yet. */
function isCall({ reference }: ActiveCall): boolean {
  return reference === undefined;
}

/** The same, and the server knows of it. */
function isSent(call: ActiveCall): boolean {
  return isCall(call) && call.requestIds.size > 0;
}

function metaOf(params: unknown): { readonly taskId: unknown; readonly progressToken: unknown } {
  const meta = (params as { _meta?: Record<string, { taskId?: unknown } | undefined> } | undefined)?._meta;
  return { taskId: meta?.[RELATED_TASK_META_KEY]?.taskId, progressToken: meta?.['progressToken'] };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
