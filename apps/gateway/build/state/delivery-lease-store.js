/** How long a lease of a stream whose client is gone still keeps others from asking of their own accord. */
export const DETACHED_LEASE_MS = 5_000;
//# sourceMappingURL=delivery-lease-store.js.map