/** Decides on signals: who takes one, what is kept, and what is refused. */
import type { PassCommand, SendSignal, TaskCommand } from './commands.js';
import type { TaskEvent } from './events.js';
import type { SignalRecord } from './operation-kinds.js';
import { CommandRejected } from './rejection.js';
import { hasRoomFor, MAX_KEPT_SIGNAL_BYTES, MAX_KEPT_SIGNALS, type Misfit } from './signals.js';
import type { TaskState } from './state.js';

type OpenWait = Extract<SignalRecord, { status: 'scheduled' | 'fired' }> & { readonly key: string };

/** Whether the command is a delivery that the task has taken before, perhaps before it ended. */
export function isRepeated(command: TaskCommand, { signals }: TaskState): boolean {
  return command.type === 'SendSignal' && command.id !== undefined && signals.ids.includes(command.id);
}

/**
 * The first open wait of the name with a fitting schema takes the signal. A value that fits none of them is refused, and a signal that
 * nobody waits for is kept.
 */
export function sendSignal({ type: _type, at, misfitOf, ...sent }: SendSignal, state: TaskState): readonly TaskEvent[] {
  const waits = openWaitsOf(state, sent.name);
  const misfits = waits.map(({ schema }) => (schema === undefined ? undefined : misfitOf(schema, sent.value)));
  const taker = waits.find((_, index) => misfits[index] === undefined);
  const [misfit] = misfits;
  if (taker === undefined && misfit !== undefined) throw unfit(sent.name, misfit);
  if (taker === undefined && !hasRoomFor(state.signals, sent.bytes)) throw full();
  const seq = state.signals.sent + 1;
  const arrival: TaskEvent = { type: 'SignalSent', at, data: { seq, ...sent } };
  return taker === undefined ? [arrival] : [arrival, { type: 'SignalReceived', at, data: { key: taker.key, seq } }];
}

/** A new wait takes the oldest kept signal of its names that fits. Others stay kept: another wait may have another schema. */
export function awaitSignal(
  { type: _type, at, epoch: _epoch, mayBeKept: _mayBeKept, misfitOf, ...wait }: Extract<PassCommand, { type: 'AwaitSignal' }>,
  { signals }: TaskState,
): readonly TaskEvent[] {
  const { key, names, schema } = wait;
  const awaited: TaskEvent = { type: 'SignalAwaited', at, data: wait };
  const taken = signals.kept.find(
    (kept) => names.includes(kept.name) && (schema === undefined || misfitOf(schema, kept.value) === undefined),
  );
  return taken === undefined ? [awaited] : [awaited, { type: 'SignalReceived', at, data: { key, seq: taken.seq } }];
}

/** A wait that is over stays so. */
export function withdrawWait(
  { at, key, reason }: Extract<PassCommand, { type: 'WithdrawWait' }>,
  { operations }: TaskState,
): readonly TaskEvent[] {
  const wait = operations.get(key);
  const isPresent = wait?.kind === 'signal' && (wait.status === 'scheduled' || wait.status === 'received');
  return isPresent ? [{ type: 'WaitWithdrawn', at, data: { key, reason } }] : [];
}

function openWaitsOf({ openWaits, operations }: TaskState, name: string): readonly OpenWait[] {
  return openWaits.flatMap((key): OpenWait[] => {
    const wait = operations.get(key);
    return wait?.kind === 'signal' && wait.status === 'scheduled' && wait.names.includes(name) ? [{ ...wait, key }] : [];
  });
}

function unfit(name: string, { field, message }: Misfit): CommandRejected {
  return new CommandRejected('SIGNAL_DOES_NOT_FIT', `The signal ${JSON.stringify(name)} does not fit: ${message}`, field);
}

function full(): CommandRejected {
  const most = `${MAX_KEPT_SIGNALS} signals, or ${MAX_KEPT_SIGNAL_BYTES} bytes of them`;
  return new CommandRejected('TOO_MANY_SIGNALS', `The task keeps ${most}, that no wait has taken; it keeps no more.`);
}
