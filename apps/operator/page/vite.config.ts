import { defineConfig } from 'vite';

/** Paths are relative, so that a proxy may serve the page below any path. */
export default defineConfig({
  base: './',
  logLevel: 'warn',
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What is bundled keeps its licence.
    license: { fileName: 'licenses.md' },
  },
});
