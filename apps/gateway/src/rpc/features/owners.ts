/** Who keeps records beyond a request, and what features see of that. */
import type { OwnerContext } from '@longhaul/mcp-features';
import {
  ANONYMOUS_OWNER,
  type ClientNotification,
  createOwnerStore,
  LOCAL_OWNER,
  type OwnerRecords,
  type OwnerStore,
  resourceUpdatedNotification,
} from '@longhaul/sessions';
import { accountOfRequester, type Requester } from '../../state/requester.js';

/** A day less than the bytes of an account are counted. Nobody says when a secret is given up. */
const SECRET_IDLE_MS = 30 * 24 * 3_600_000;

/** The owners of records. */
export interface Owners {
  readonly store: OwnerStore;
  /** The owner of the records, by that of the tasks; nobody where nothing is known of the caller. */
  idOf(taskOwner: string): string | undefined;
}

/** @param isOneUser whether the gateway serves one local user, who need not say who it is */
export function createOwners(records: OwnerRecords, isOneUser: boolean): Owners {
  return {
    store: createOwnerStore(records),
    idOf: (taskOwner) => (isOneUser ? LOCAL_OWNER : taskOwner === ANONYMOUS_OWNER ? undefined : taskOwner),
  };
}

/** What the context of a request is made of. */
export interface OwnerContextDeps {
  readonly owners: Owners;
  /** How long the records of an anonymous session are kept without use. */
  readonly sessionIdleMs: number;
  /** Notifies the clients of an owner, without waiting for it. */
  readonly notify: (owner: string, notification: ClientNotification) => void;
}

/** What the caller keeps; nothing where it is not known, not even by its session. */
export function ownerContext(
  requester: Requester,
  sessionId: string | undefined,
  { owners, sessionIdleMs, notify }: OwnerContextDeps,
): OwnerContext | undefined {
  const id = owners.idOf(requester.owner);
  if (id === undefined) return undefined;
  const isKnown = requester.auth !== undefined || id === LOCAL_OWNER;
  const idleMs = sessionId === undefined ? SECRET_IDLE_MS : sessionIdleMs;
  const collections = owners.store.of(isKnown ? { id } : { id, account: accountOfRequester(requester), idleMs });
  return { ...collections, resourceUpdated: (uri) => notify(id, resourceUpdatedNotification(uri)) };
}
