import type { JSONRPCNotification } from '@modelcontextprotocol/client';

/** Receives a notification. @returns whether it is for this listener alone */
export type NotificationListener = (notification: JSONRPCNotification) => boolean | void;

/** Hands the notifications of a connection to those who wait for them. */
export class Notifications {
  readonly #listeners = new Set<NotificationListener>();

  /** @returns stops listening */
  listen(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns whether somebody took it for himself */
  notify(notification: JSONRPCNotification): boolean {
    return [...this.#listeners].map((listener) => listener(notification) === true).includes(true);
  }
}
