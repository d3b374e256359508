/** What the server is called unless it is set otherwise. */
export const DEFAULT_NAME = 'longhaul';
//# sourceMappingURL=server-identity.js.map