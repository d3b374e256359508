/** Makes the part of a view that says which children a task waits for: with it their ends and questions are decided without the history. */
import type { RestoredState } from './members.js';
import type { TaskState } from '../state.js';
import type { ChildBond } from '../child-events.js';

/** A child that has not ended, as far as its parent knows. */
export interface OpenChild {
  readonly key: string;
  readonly taskId: string;
  readonly tool: string;
  readonly bond: Exclude<ChildBond, 'detached'>;
  readonly startedAt: number;
}

/** Those of a state; nothing when there are none. */
export function openChildrenOf({ openChildren, operations }: TaskState): readonly OpenChild[] | undefined {
  if (openChildren.size === 0) return undefined;
  return [...openChildren].flatMap((key) => {
    const child = operations.get(key);
    if (child?.kind !== 'child' || child.bond === 'detached') return [];
    const { taskId, tool, bond, startedAt } = child;
    return { key, taskId, tool, bond, startedAt };
  });
}

/** Restores them. When one of them is tried again, if it was not created yet, the standing says. */
export function restoreChildren({ operations, openChildren }: RestoredState, children: readonly OpenChild[]): void {
  for (const { key, ...child } of children) {
    operations.set(key, { kind: 'child', status: 'created', ...child, since: 0 });
    openChildren.add(key);
  }
}
