/** Who keeps records beyond a request, and what features see of that. */
import { accountOfRequester } from '@longhaul/sessions/gateway';
import { ANONYMOUS_OWNER, createOwnerContexts, LOCAL_OWNER, type SessionStores } from '@longhaul/sessions';
import type { OwnerContext, RecordOwner } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { Call } from '../method.js';

/** A day less than the bytes of an account are counted. Nobody says when a secret is given up. */
const SECRET_IDLE_MS = 30 * 24 * 3_600_000;

/** Who makes a request, as far as records are concerned. */
export type OwningCall = Pick<Call, 'requester' | 'sessionId'>;

/** The owners of records. */
export interface Owners {
  /** The owner of the records, by that of the tasks; nobody where nothing is known of the caller. */
  idOf(taskOwner: string): string | undefined;
  /** Whose records features read and change for the caller; nobody's where it is not known, not even by its session. */
  ownerOf(call: OwningCall): RecordOwner | undefined;
  /** What the caller keeps. */
  contextOf(call: OwningCall): OwnerContext | undefined;
}

/** What owners are known by. */
export interface OwnersDeps {
  readonly store: Pick<SessionStores, 'ownerRecords' | 'sessionNotifications'>;
  /** Whether the gateway serves one local user, who need not say who it is. */
  readonly isOneUser: boolean;
  /** How long the records of an anonymous session are kept without use, milliseconds. */
  readonly sessionIdleMs: number;
  readonly logger: Logger;
}

export function createOwners({ store, isOneUser, sessionIdleMs, logger }: OwnersDeps): Owners {
  const contexts = createOwnerContexts(store, (error) => logger.warn({ err: error }, 'notification not published'));
  const idOf = (taskOwner: string): string | undefined => (isOneUser ? LOCAL_OWNER : taskOwner === ANONYMOUS_OWNER ? undefined : taskOwner);
  const ownerOf = ({ requester, sessionId }: OwningCall): RecordOwner | undefined => {
    const id = idOf(requester.owner);
    if (id === undefined) return undefined;
    if (isOneUser || requester.auth !== undefined) return { id };
    return { id, account: accountOfRequester(requester), idleMs: sessionId === undefined ? SECRET_IDLE_MS : sessionIdleMs };
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
