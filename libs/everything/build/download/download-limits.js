export const DEFAULT_DOWNLOAD_LIMITS = {
    maxBytes: 10 * 1024 * 1024,
    maxMs: 30_000,
    allowedDomains: [],
    allowPrivateAddresses: false,
};
//# sourceMappingURL=download-limits.js.map