/**
 * The flags of gateway and worker processes, also in the images. Each request leaves objects that are garbage at once. V8 would let them
 * grow to 3 × 16 MiB and more before it collects them, which occupies memory without a use: docs/internals/benchmarks.md.
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8'];
