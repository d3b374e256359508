import { checkedName, type SessionValues } from '@longhaul/tasks';
import type { SessionState } from './ports/session-state.js';
import { SUBSCRIPTIONS } from './session-value-names.js';

/** The part of a session's context that reads and writes the values of the session. */
export interface StoredSession extends SessionValues {
  readonly id: string;
  /** The URIs that the client has subscribed to. */
  subscriptions(): Promise<readonly string[]>;
  /** The names of the values that begin with the prefix. */
  names(prefix: string): Promise<readonly string[]>;
}

/** The values of a session. @param account the account under which their bytes are counted. @defaultValue the session itself */
export function sessionValues(state: SessionState, id: string, account?: string): StoredSession {
  return {
    id,
    get: async (name) => state.get(id, checkedName(name)),
    set: async (name, value) => state.set(id, checkedName(name), value, account),
    delete: async (name) => void (await state.delete(id, checkedName(name))),
    names: (prefix) => state.names(id, prefix),
    subscriptions: async () => (await state.names(id, SUBSCRIPTIONS)).map((name) => name.slice(SUBSCRIPTIONS.length)),
  };
}
