/** A module of its own, and an entry of the package: settings are read before anything large is loaded. */
/** Share of `maxmemory` from which on nothing new is begun, unless another one is configured. */
export const DEFAULT_WATERMARK = 0.85;
//# sourceMappingURL=watermark.js.map