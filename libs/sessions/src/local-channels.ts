import type { NotificationChannels } from './session-notifications.js';

/** The names of channels where nothing else is on the same machine or file. */
export const LOCAL_CHANNELS: NotificationChannels = {
  notifications: (sessionId) => `session:${sessionId}`,
  notificationsOf: (owner) => `owner:${owner}`,
  notificationsForAll: () => 'all',
};
