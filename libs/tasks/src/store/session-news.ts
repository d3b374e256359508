/**
 * News for clients that are not about a task: log messages, changed resources, changed lists. They are
 * told to whichever gateway holds the client's standalone stream at the moment. Without one they are lost:
 * a client without a stream has no place for them.
 */
import type { Json, JsonObject } from '../domain/json.js';
import type { Unsubscribe } from './event-store.js';
import type { RedisKeys } from './redis-keys.js';
import type { Signals } from './signals.js';

/** A notification of the protocol. */
export interface ClientNews {
  readonly method: string;
  readonly params: JsonObject;
}

/** Tells clients, through whichever process serves them. Rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface SessionNews {
  tell(sessionId: string, news: ClientNews): Promise<void>;
  tellAll(news: ClientNews): Promise<void>;
  /** Calls the listener with what is told to the session from now on. */
  listen(sessionId: string, listener: (news: ClientNews) => void): Promise<Unsubscribe>;
  /** Calls the listener with what is told to all. */
  listenToAll(listener: (news: ClientNews) => void): Promise<Unsubscribe>;
}

export function createSessionNews(signals: Signals, keys: RedisKeys): SessionNews {
  const publish = (channel: string, { method, params }: ClientNews): Promise<void> =>
    signals.publish(channel, JSON.stringify({ method, params }));
  const subscribe = (channel: string, listener: (news: ClientNews) => void): Promise<Unsubscribe> =>
    signals.subscribe(channel, (text) => {
      const news = text === undefined ? undefined : newsIn(text);
      if (news !== undefined) listener(news);
    });
  return {
    tell: (sessionId, news) => publish(keys.sessionNews(sessionId), news),
    tellAll: (news) => publish(keys.newsForAll(), news),
    listen: (sessionId, listener) => subscribe(keys.sessionNews(sessionId), listener),
    listenToAll: (listener) => subscribe(keys.newsForAll(), listener),
  };
}

/** What another process has told; nothing when it is none that this version understands. */
function newsIn(text: string): ClientNews | undefined {
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
