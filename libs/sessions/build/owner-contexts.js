import { resourceUpdatedNotification } from './client-notifications.js';
import { createOwnerStore } from './owner-store.js';
/** @param onError called when clients could not be notified, which nobody waits for */
export function createOwnerContexts({ ownerRecords, sessionNotifications }, onError) {
    const store = createOwnerStore(ownerRecords);
    return (owner) => ({
        ...store.of(owner),
        resourceUpdated: (uri) => void sessionNotifications.publishToOwner(owner.id, resourceUpdatedNotification(uri)).catch(onError),
    });
}
//# sourceMappingURL=owner-contexts.js.map