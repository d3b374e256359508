/** Defines the drafts that a pass asks to record, and their consequences. */
import type { PassCommand } from '../domain/commands.js';
import type { Operation } from '../domain/operation-kinds.js';

/**
 * How a pass ended. After `interrupted`, `fenced` and `lost` nothing more was written; after `overtaken` nothing at all was, and the pass
 * must be begun again. After `misfit` nothing but its claim may be: the code does not fit the record, and the code of another worker may.
 */
export type PassEnd =
  'misfit' | 'ended' | 'continued' | 'suspended' | 'retrying' | 'released' | 'interrupted' | 'fenced' | 'lost' | 'overtaken';

/** Distributes over the commands, which `Omit` does not. */
type Draft<T> = T extends PassCommand ? Omit<T, 'at' | 'epoch'> : never;

/** A command of the pass without what the run fills in. */
export type PassDraft = Draft<PassCommand>;

/** The commands that end the pass, and how it ended then. */
export const FINAL = new Map<PassCommand['type'], PassEnd>([
  ['CompleteTask', 'ended'],
  ['FailTask', 'ended'],
  ['ContinueAsNew', 'continued'],
  ['FailPass', 'retrying'],
  ['SuspendPass', 'suspended'],
]);

/** A value that the function has already seen, or an amount that it has spent, so that it must be durable before anything is done with it. */
export function isRecord(draft: PassDraft): boolean {
  return (draft.type === 'CompleteStep' && draft.key.startsWith('$')) || (draft.type === 'ReportSpending' && draft.seq !== undefined);
}

/** The pass continues once this is recorded: the function gets it, or the child is created. */
export function isAnswer(draft: PassDraft): boolean {
  return ANSWERS.has(draft.type) || (draft.type === 'AwaitSignal' && draft.mayBeKept === true);
}

const ANSWERS = new Set<PassDraft['type']>([
  'CompleteStep',
  'FailStep',
  'FireTimer',
  'WithdrawInput',
  'WithdrawWait',
  'StartChild',
  'DetachChild',
  'SettleChild',
]);

/** A try of the operation has ended, of which the record does not know yet. */
export function endsTry(draft: PassDraft): boolean {
  return isAnswer(draft) || draft.type === 'ConfirmChild' || draft.type === 'DelayChild';
}

/** Whether a step waits for a retry that is due, or a child to be created. */
export function isDue(operation: Operation, now: number): boolean {
  if (operation.status === 'starting') return operation.dueAt <= now;
  return operation.status === 'retrying' && operation.retryAt <= now;
}
