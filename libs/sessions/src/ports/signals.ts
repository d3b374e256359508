import type { Unsubscribe } from '@longhaul/tasks';

/**
 * Sends short messages between processes, to the processes that listen at the moment; messages are not stored. They are hints: state that
 * must not be missed is stored, and read again after a while even without a message.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface Signals {
  publish(channel: string, message: string): Promise<void>;
  /**
   * Calls `listener` with each message from now on; resolves when no later message can be missed. All channels of a process share one
   * connection.
   *
   * @param listener is called without a message when some may have been missed
   */
  subscribe(channel: string, listener: (message: string | undefined) => void): Promise<Unsubscribe>;
}
