import { get } from '../api/client.js';
import type { TimelinePage } from '../../../src/answers.js';

/** For each kind; a drawing of more entries is unreadable. */
const ENTRIES = 200;

/** The latest entries of a timeline, of each kind; with `next` when earlier entries are left out. */
export async function latestOf(taskId: string, signal: AbortSignal): Promise<TimelinePage> {
  const page = (offset: number): Promise<TimelinePage> => get(`tasks/${taskId}/timeline`, { offset, limit: ENTRIES }, signal);
  const first = await page(0);
  const latest = async <Kind extends 'passes' | 'operations' | 'waits'>(kind: Kind): Promise<TimelinePage[Kind]> => {
    const before = first.counts[kind] - ENTRIES;
    return before <= 0 ? first[kind] : (await page(before))[kind];
  };
  const [passes, operations, waits] = await Promise.all([latest('passes'), latest('operations'), latest('waits')]);
  return { ...first, passes, operations, waits };
}
