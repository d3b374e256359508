import type { Clock } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { NewSession, Session, SessionStore } from '../../gateway/session.js';

interface Row extends NewSession {
  readonly openedAt: number;
  usedAt: number;
  logLevel?: LoggingLevel;
  isShutDown?: boolean;
}

/** What the store is built from. */
export interface MemorySessionStoreOptions {
  readonly clock: Clock;
  readonly idleMs: number;
  /** Called when a session is used, so that what belongs to it can be kept as well. */
  readonly onKept?: (id: string, ms: number) => Promise<void>;
}

/** Sessions of one process, gone with it. For tests. */
export function createMemorySessionStore({ clock, idleMs, onKept }: MemorySessionStoreOptions): SessionStore {
  const rows = new Map<string, Row>();

  function use(id: string): Row | undefined {
    const row = rows.get(id);
    if (row === undefined) return undefined;
    const now = clock();
    if (now - row.usedAt >= idleMs) {
      rows.delete(id);
      return undefined;
    }
    row.usedAt = now;
    // In memory nothing can go wrong with it.
    void onKept?.(id, idleMs);
    return row;
  }

  return {
    create(session) {
      rows.set(session.id, { ...session, openedAt: clock(), usedAt: clock() });
      return Promise.resolve();
    },
    load: (id) => Promise.resolve(sessionOf(use(id))),
    touch: (id) => Promise.resolve(use(id) !== undefined),
    setLogLevel(id, level) {
      const row = use(id);
      if (row !== undefined) row.logLevel = level;
      return Promise.resolve();
    },
    shutDown(id) {
      const row = use(id);
      if (row !== undefined) row.isShutDown = true;
      return Promise.resolve();
    },
    end: (id) => Promise.resolve(use(id) !== undefined && rows.delete(id)),
  };
}

function sessionOf(row: Row | undefined): Session | undefined {
  if (row === undefined) return undefined;
  const { id, owner, protocolVersion, client, logLevel, openedAt, isShutDown = false } = row;
  return {
    id,
    owner,
    generation: '2025-11-25',
    protocolVersion,
    client: () => client,
    isShutDown,
    isStored: true,
    openedAt,
    ...(logLevel !== undefined && { logLevel }),
  };
}
