import { OPERATION_KINDS, type OperationKind, operationOfKey } from '@longhaul/tasks';

/** The name of an operation in a message to the author, by its key: `step "charge"`, or `context.now() (use 2)` for `$now:2`. */
export function operationName(kind: keyof typeof OPERATION_KINDS, key: string): string {
  const [, name = key, use] = /^(.*?)(?::(\d+))?$/s.exec(key) ?? [];
  const own = operationOfKey(name);
  const { called }: OperationKind = OPERATION_KINDS[kind];
  if (own === undefined) return `${called} "${key}"`;
  return use === undefined ? own : `${own} (use ${use})`;
}
