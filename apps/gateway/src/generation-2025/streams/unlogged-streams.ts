/** Streams without a log: each message is sent once, and clients cannot come back. */
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
    cancellationOf: async () => undefined,
    watch: async () => () => undefined,
  };
}
