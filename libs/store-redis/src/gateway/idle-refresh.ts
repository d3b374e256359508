import type { Clock } from '@longhaul/tasks';

const MAX_REMEMBERED = 10_000;
const REFRESH_EVERY_MS = 5 * 60_000;

/**
 * Decides when a session's expiry is pushed back again: every few minutes instead of at each request. Its memory only saves writes;
 * forgetting costs one extra write.
 */
export function createIdleRefresh(clock: Clock, idleMs: number): (id: string) => boolean {
  const everyMs = Math.min(REFRESH_EVERY_MS, idleMs / 4);
  const refreshedAt = new Map<string, number>();
  return (id) => {
    const now = clock();
    const last = refreshedAt.get(id);
    if (last !== undefined && now - last < everyMs) return false;
    if (refreshedAt.size >= MAX_REMEMBERED) refreshedAt.clear();
    refreshedAt.set(id, now);
    return true;
  };
}
