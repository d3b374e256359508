/** Shows what one owner uses, above the list of its tasks. */
import type { OwnerLimitsAndUse } from '../../../src/answers.js';
import { get } from '../api/client.js';
import { usePolled } from '../api/loaded.js';
import { type Fact, FactList } from '../parts/facts.js';
import { spendingText } from '../parts/spending.js';
import { Shown } from '../parts/state.js';

/** The sum of its spending reads many tasks. */
const EVERY_MS = 15_000;

export function OwnerUse({ owner }: { readonly owner: string }) {
  const use = usePolled((signal) => get<OwnerLimitsAndUse>('owners/limits', { owner }, signal), [owner], EVERY_MS);
  return <Shown of={use}>{(found) => <FactList facts={factsOf(found)} />}</Shown>;
}

function factsOf({ tenant, limits, used }: OwnerLimitsAndUse): readonly Fact[] {
  return [
    ['Tenant', tenant],
    ['Spent, latest 1,000 tasks', spendingText(used.spent)],
    ['Tasks that have not ended', ofLimit(used.unfinishedTasks, limits.unfinishedTasks)],
    ['Tasks in this minute', ofLimit(used.tasksInMinute, limits.tasksPerMinute)],
    ['Bytes of histories', ofLimit(used.historyBytes, limits.historyBytes)],
    ['Open sessions', ofLimit(used.openSessions, limits.openSessions)],
  ];
}

function ofLimit(used: number, limit: number | null): string {
  return limit === null ? used.toLocaleString() : `${used.toLocaleString()} of ${limit.toLocaleString()}`;
}
