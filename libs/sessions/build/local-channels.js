/** The names of channels where nothing else is on the same machine or file. */
export const LOCAL_CHANNELS = {
    notifications: (sessionId) => `session:${sessionId}`,
    notificationsOf: (owner) => `owner:${owner}`,
    notificationsForAll: () => 'all',
};
//# sourceMappingURL=local-channels.js.map