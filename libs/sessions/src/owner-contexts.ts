/** Makes the contexts of owners for features of this process. */
import { createHash } from 'node:crypto';
import { type OwnerContexts, remembered } from '@longhaul/tasks';
import type { SessionStores } from './whole-store.js';
import { resourceUpdatedNotification } from './client-notifications.js';
import { createOwnerStore } from './owner-store.js';

const REMEMBERED_OWNERS = 1_000;

/** Every call has one, but few features use it. */
const keyOf = remembered(REMEMBERED_OWNERS, (account) => createHash('sha256').update(account).digest('base64url'));

/** @param onError called when clients could not be notified, because no caller waits for that */
export function createOwnerContexts(
  { ownerRecords, sessionNotifications }: Pick<SessionStores, 'ownerRecords' | 'sessionNotifications'>,
  onError: (error: unknown) => void,
): OwnerContexts {
  const store = createOwnerStore(ownerRecords);
  return (owner) => ({
    ...store.of(owner),
    key: keyOf(owner.account ?? owner.id),
    resourceUpdated: (uri) => void sessionNotifications.publishToOwner(owner.id, resourceUpdatedNotification(uri)).catch(onError),
  });
}
