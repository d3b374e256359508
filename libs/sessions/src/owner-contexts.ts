/** Owners, as features of this process see them. */
import { createHash } from 'node:crypto';
import type { OwnerContexts } from '@longhaul/tasks';
import type { SessionBackend } from './backend.js';
import { resourceUpdatedNotification } from './client-notifications.js';
import { createOwnerStore } from './owner-store.js';

/** @param onError called when clients could not be notified, which nobody waits for */
export function createOwnerContexts(
  { ownerRecords, sessionNotifications }: Pick<SessionBackend, 'ownerRecords' | 'sessionNotifications'>,
  onError: (error: unknown) => void,
): OwnerContexts {
  const store = createOwnerStore(ownerRecords);
  return (owner) => ({
    ...store.of(owner),
    // Few features look at it, and each call would make it.
    get key() {
      return createHash('sha256')
        .update(owner.account ?? owner.id)
        .digest('base64url');
    },
    resourceUpdated: (uri) => void sessionNotifications.publishToOwner(owner.id, resourceUpdatedNotification(uri)).catch(onError),
  });
}
