/** Says how the events of children change the state of their parent. */
import type { Operation } from './operation-kinds.js';
import type { MutableOperations } from './operations.js';
import { type Spending, sumOfSpending } from './spending.js';
import { type ChildEventData, type ChildRecord, isSuccess } from './child-events.js';

/** What of a state under construction changes. */
interface Draft {
  readonly version: number;
  /** 0 for events that a fork has of its origin. */
  readonly passNumber: number;
  readonly operations: MutableOperations;
  readonly openChildren: Set<string>;
  childrenStarted: number;
  spent: Spending | undefined;
}

type Apply<T extends keyof ChildEventData> = (draft: Draft, event: { readonly at: number; readonly data: ChildEventData[T] }) => void;

/** For each type of event. */
export const APPLY_CHILDREN: { readonly [T in keyof ChildEventData]: Apply<T> } = {
  ChildStarted(draft, { at, data: { key, ...child } }) {
    draft.childrenStarted += 1;
    if (child.bond !== 'detached') draft.openChildren.add(key);
    draft.operations.set(key, { kind: 'child', status: 'starting', ...child, dueAt: at, startedAt: at, since: draft.version });
  },
  ChildDelayed: (draft, { data: { key, retryAt } }) =>
    change(draft, key, (child) => (child.status === 'starting' ? { ...child, dueAt: retryAt } : child)),
  ChildCreated: (draft, { data: { key } }) => change(draft, key, (child) => ({ ...known(child), status: 'created' })),
  ChildDetached: (draft, { data: { key, taskId } }) =>
    change(draft, key, (child) => ({ ...known(child), status: 'detached', taskId }), true),
  ChildEnded(draft, { at, data: { key, outcome, taskId, spent } }) {
    if (spent !== undefined && draft.passNumber > 0) draft.spent = sumOfSpending(draft.spent, spent);
    draft.openChildren.delete(key);
    change(
      draft,
      key,
      (child) => ({
        ...known(child),
        status: 'ended',
        outcome,
        endedAt: at,
        ...(spent !== undefined && { spent }),
        ...(taskId !== undefined && { taskId }),
      }),
      true,
    );
  },
};

/** What stays the same of a child. */
function known({ kind, taskId, tool, bond, startedAt }: ChildRecord) {
  return { kind, taskId, tool, bond, startedAt };
}

/** Whether the next attempt of the workflow runs the operation again. */
export function hasFailed(operation: Operation): boolean {
  return operation.status === 'failed' || (operation.status === 'ended' && !isSuccess(operation.outcome));
}

function change(draft: Draft, key: string, to: (child: ChildRecord) => ChildRecord, settles = false): void {
  const child = draft.operations.get(key);
  if (child?.kind !== 'child') return;
  draft.operations.set(key, { ...to(child), since: child.since, ...(settles && { settledAt: draft.version }) });
}
