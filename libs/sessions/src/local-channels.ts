import type { NotificationChannels } from './session-notifications.js';

/** Names channels where nothing else uses the same machine or file. */
export const LOCAL_CHANNELS: NotificationChannels = {
  notifications: (sessionId) => `session:${sessionId}`,
  notificationsOf: (owner) => `owner:${owner}`,
  notificationsForAll: () => 'all',
};
