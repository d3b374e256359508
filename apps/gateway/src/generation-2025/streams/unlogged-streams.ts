/** Streams that are logged nowhere: what goes out goes out once, and nobody can come back to it. */
import type { StreamStore } from '@longhaul/sessions/gateway';
export function createUnloggedStreams(): StreamStore {
  return {
    open: async () => ({ verdict: 'opened' }),
    takeOver: async () => ({ verdict: 'unknown' }),
    append: async () => 'gone',
    settleOne: async () => false,
    requestsOf: async () => [],
    bind: async () => undefined,
    read: async () => ({ entries: [], isFinished: true }),
    keep: async () => 'kept',
    leave: async () => undefined,
    noteCancelled: async () => undefined,
    isCancelled: async () => false,
    watch: async () => () => undefined,
  };
}
