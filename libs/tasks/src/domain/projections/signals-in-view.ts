/** Makes the part of a view that decides on signals, so that a gateway needs no history for one. It has no values. */
import type { JsonObject } from '../json.js';
import { type KeptSignal, noSignals, type Signals } from '../signals.js';
import type { TaskState } from '../state.js';
import type { RestoredState } from './members.js';

/** A wait for a signal that has not settled. Times are epoch milliseconds. */
export interface AwaitedSignal {
  readonly key: string;
  readonly names: readonly string[];
  readonly since: number;
  /** When the wait ends without a signal. */
  readonly until?: number;
  readonly schema?: JsonObject;
}

/** A signal that no wait has taken yet, without its value. */
export type KeptSignalHead = Omit<KeptSignal, 'value'>;

/** What a view says of signals. */
export interface SignalsOfTask extends Omit<Signals, 'kept'> {
  readonly kept: readonly KeptSignalHead[];
  readonly awaited: readonly AwaitedSignal[];
}

/** @returns nothing of a task that neither has signals nor waits for one */
export function signalsOf({ signals, openWaits, operations, outcome }: TaskState): SignalsOfTask | undefined {
  if (signals.sent === 0 && openWaits.length === 0) return undefined;
  const { sent, ids } = signals;
  if (outcome !== undefined) return sent === 0 ? undefined : { sent, ids, kept: [], awaited: [] };
  return {
    sent,
    ids,
    kept: signals.kept.map(({ value: _value, ...head }) => head),
    awaited: openWaits.flatMap((key): AwaitedSignal[] => {
      const wait = operations.get(key);
      if (wait?.kind !== 'signal' || wait.status !== 'scheduled') return [];
      const { names, setAt: since, dueAt: until, schema } = wait;
      return [{ key, names, since, ...(Number.isFinite(until) && { until }), ...(schema !== undefined && { schema }) }];
    }),
  };
}

/** Restores them in a state; the values of kept signals are missing. */
export function restoreSignals(draft: RestoredState, { sent, ids, kept, awaited }: SignalsOfTask): void {
  draft.signals = { ...noSignals, sent, ids, kept: kept.map((head) => ({ ...head, value: null })) };
  draft.openWaits = awaited.map(({ key }) => key);
  for (const { key, names, since, until = Number.POSITIVE_INFINITY, schema } of awaited)
    draft.operations.set(key, {
      kind: 'signal',
      status: 'scheduled',
      names,
      dueAt: until,
      setAt: since,
      ...(schema !== undefined && { schema }),
      since: 0,
    });
}
