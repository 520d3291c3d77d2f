import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Absolute, so that the page finds its files at any depth of the path. */
const base = '/console/';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base,
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    // Data URLs would need exceptions in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    // A slow machine is not worth a warning.
    rolldownOptions: { checks: { bundlerTimings: false, pluginTimings: false } },
  },
});
