/** A separate module, and an entry of the package: settings are read before anything large is loaded. */

/** Share of `maxmemory` above which no new work begins, unless another one is configured. */
export const DEFAULT_WATERMARK = 0.85;
