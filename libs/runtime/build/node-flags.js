/**
 * The flags that gateway and worker are started with, also by the images. Each request leaves objects that are garbage at once; V8
 * would let them grow to 3 × 16 MiB and more before it looks, which is memory that is touched and not needed: docs/benchmarks.md.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8'];
//# sourceMappingURL=node-flags.js.map