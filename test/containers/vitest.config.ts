import { defineConfig } from 'vitest/config';

/** Run by `npm run test:containers`, which makes sure of a Docker engine first; `npm test` does not know this file. */
export default defineConfig({
  test: {
    name: 'containers',
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/containers/*.test.ts'],
    globalSetup: 'test/containers/support/build-images.ts',
    // Each file has containers of its own, which compete for the same processors.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
