/**
 * The waits for signals of one pass. A name has one wait at a time: another one with that name takes the place of the one before. So a
 * wait that lost a race takes no signal from the next one. Whatever it had taken, and the workflow has not seen, goes to the next one.
 */
import type { JsonObject } from '../domain/json.js';
import { wholeMs } from '../domain/milliseconds.js';
import type { KeptSignal } from '../domain/signals.js';
import { TaskError } from '../errors.js';
import { misfitOf } from '../signals/misfit-of.js';
import { onceUnwanted } from './given-up.js';
import type { PassRun } from './pass-run.js';

/** What is waited for. */
export interface SignalWait {
  /** A signal of any of them will do. */
  readonly names: readonly string[];
  readonly schema: JsonObject | undefined;
  /** How long it is waited for, milliseconds, or until when. Absent: for ever. */
  readonly limit?: { readonly ms: number } | { readonly until: number };
}

/** Begins the waits of one pass. */
export class SignalWaits {
  /** Key of the latest wait of each name. */
  private readonly latest = new Map<string, string>();

  constructor(private readonly run: PassRun) {}

  /** @returns the signal; nothing when the time has expired. @throws TaskError `WAIT_WITHDRAWN` */
  begin({ names, schema, limit }: SignalWait): Promise<KeptSignal | undefined> {
    const { run } = this;
    const key = run.keys.joined(names);
    for (const name of names) {
      const before = this.latest.get(name);
      this.latest.set(name, key);
      if (before !== undefined)
        this.withdraw(before, `Another wait for the signal "${name}" has taken its place: wait for one after the other.`);
    }
    const value = run.ask(key, 'signal', () => {
      const dueAt = dueAtOf(limit, run.clock());
      const optional = { ...(dueAt !== undefined && { dueAt }), ...(schema !== undefined && { schema }) };
      const mayBeKept = run.journal.state.signals.kept.some((kept) => names.includes(kept.name));
      run.put({ type: 'AwaitSignal', key, names, ...optional, mayBeKept, misfitOf });
    });
    onceUnwanted(run, (reason) => this.withdraw(key, reason));
    return value as Promise<KeptSignal | undefined>;
  }

  private withdraw(key: string, reason: string): void {
    if (this.run.operations.withhold(key, () => new TaskError('WAIT_WITHDRAWN', reason)))
      this.run.put({ type: 'WithdrawWait', key, reason });
  }
}

function dueAtOf(limit: SignalWait['limit'], now: number) {
  if (limit === undefined) return undefined;
  return wholeMs('until' in limit ? limit.until : now + limit.ms);
}
