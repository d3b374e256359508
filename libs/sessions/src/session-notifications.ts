/**
 * Sends notifications to clients that are not about a task: log messages, changed resources, changed lists. The gateway that holds the
 * client's standalone stream at the moment receives them. Without a stream they are lost, because there is no way to deliver them.
 */
import type { Json, JsonObject, Unsubscribe } from '@longhaul/tasks';
import type { Signals } from './ports/signals.js';

/** A notification of the protocol. */
export interface ClientNotification {
  readonly method: string;
  readonly params: JsonObject;
}

/** The names of the channels. */
export interface NotificationChannels {
  notifications(sessionId: string): string;
  notificationsOf(owner: string): string;
  notificationsForAll(): string;
}

/** Notifies clients, through the process that serves them. Rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface SessionNotifications {
  publish(sessionId: string, notification: ClientNotification): Promise<void>;
  /** For all clients of an owner. */
  publishToOwner(owner: string, notification: ClientNotification): Promise<void>;
  publishToAll(notification: ClientNotification): Promise<void>;
  /** Calls the listener with what is published for the session from now on. */
  subscribe(sessionId: string, listener: (notification: ClientNotification) => void): Promise<Unsubscribe>;
  /** Calls the listener with what is published for the clients of the owner from now on. */
  subscribeToOwner(owner: string, listener: (notification: ClientNotification) => void): Promise<Unsubscribe>;
  /** Calls the listener with what is published for all. */
  subscribeToAll(listener: (notification: ClientNotification) => void): Promise<Unsubscribe>;
}

export function createSessionNotifications(signals: Signals, channels: NotificationChannels): SessionNotifications {
  const publish = (channel: string, { method, params }: ClientNotification): Promise<void> =>
    signals.publish(channel, JSON.stringify({ method, params }));
  const subscribe = (channel: string, listener: (notification: ClientNotification) => void): Promise<Unsubscribe> =>
    signals.subscribe(channel, (text) => {
      const notification = text === undefined ? undefined : notificationIn(text);
      if (notification !== undefined) listener(notification);
    });
  return {
    publish: (sessionId, notification) => publish(channels.notifications(sessionId), notification),
    publishToOwner: (owner, notification) => publish(channels.notificationsOf(owner), notification),
    publishToAll: (notification) => publish(channels.notificationsForAll(), notification),
    subscribe: (sessionId, listener) => subscribe(channels.notifications(sessionId), listener),
    subscribeToOwner: (owner, listener) => subscribe(channels.notificationsOf(owner), listener),
    subscribeToAll: (listener) => subscribe(channels.notificationsForAll(), listener),
  };
}

/** Parses a notification of another process; nothing when this version does not understand it. */
function notificationIn(text: string): ClientNotification | undefined {
  const { method, params } = (jsonIn(text) ?? {}) as { readonly method?: Json; readonly params?: Json };
  const isUnderstood = typeof method === 'string' && typeof params === 'object' && params !== null && !Array.isArray(params);
  return isUnderstood ? { method, params: params as JsonObject } : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
