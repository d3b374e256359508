import type { Unsubscribe } from '@longhaul/tasks';

/**
 * Short messages between processes, sent to the processes that listen at the moment and not stored. They are hints:
 * what must not be missed is stored, and looked up again after a while even without one.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface Signals {
  publish(channel: string, message: string): Promise<void>;
  /**
   * Calls `listener` with each message from now on; resolves when none can be missed any more. All
   * channels of a process share one connection.
   *
   * @param listener is called without a message when some may have been missed
   */
  subscribe(channel: string, listener: (message: string | undefined) => void): Promise<Unsubscribe>;
}
