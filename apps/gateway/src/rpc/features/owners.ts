/** Finds who owns records beyond a request, and gives features access to them. */
import { accountOfRequester } from '@longhaul/sessions/gateway';
import { ANONYMOUS_OWNER, createOwnerContexts, LOCAL_OWNER, ownerOfAnonymousSession, type SessionStores } from '@longhaul/sessions';
import type { OwnerContext, RecordOwner } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { Call } from '../method.js';

/** A day less than the bytes of an account are counted. The server cannot notice when a secret is no longer used. */
const SECRET_IDLE_MS = 30 * 24 * 3_600_000;

/** The part of a call that determines the owner of records. */
export type OwningCall = Pick<Call, 'requester' | 'sessionId'>;

/** The owners of records. */
export interface Owners {
  /** The owner of the records, from the owner of the tasks; undefined if the caller is anonymous. */
  idOf(taskOwner: string): string | undefined;
  /** The owner whose records features read and change for the caller; undefined if not even its session is known. */
  ownerOf(call: OwningCall): RecordOwner | undefined;
  /** The caller's records. */
  contextOf(call: OwningCall): OwnerContext | undefined;
}

/** The parts that determine owners. */
export interface OwnersDeps {
  readonly store: Pick<SessionStores, 'ownerRecords' | 'sessionNotifications'>;
  /** How long the records of an anonymous session are kept without use, milliseconds. */
  readonly sessionIdleMs: number;
  readonly logger: Logger;
}

export function createOwners({ store, sessionIdleMs, logger }: OwnersDeps): Owners {
  const contexts = createOwnerContexts(store, (error) => logger.warn({ err: error }, 'notification not published'));
  const idOf = (taskOwner: string): string | undefined => (taskOwner === ANONYMOUS_OWNER ? undefined : taskOwner);
  const ownerOf = ({ requester, sessionId }: OwningCall): RecordOwner | undefined => {
    const id = idOf(requester.owner);
    if (id === undefined) return undefined;
    if (id === LOCAL_OWNER || requester.auth !== undefined) return { id };
    const isOfSession = sessionId !== undefined && id === ownerOfAnonymousSession(sessionId);
    return { id, account: accountOfRequester(requester), idleMs: isOfSession ? sessionIdleMs : SECRET_IDLE_MS };
  };
  return {
    idOf,
    ownerOf,
    contextOf(call) {
      const owner = ownerOf(call);
      return owner && contexts(owner);
    },
  };
}
