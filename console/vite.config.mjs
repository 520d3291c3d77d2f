import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Absolute, so that the console finds its files at any depth of the path. */
const base = '/console/';

/**
 * The page of links is at a path of one depth, and finds the same files beside it, so that it works
 * where the console is disabled; so do scripts and styles, which both pages load.
 */
const whereFiles = (name, { hostType, hostId }) => {
  if (hostType !== 'html') return { relative: true };
  return hostId.endsWith('link.html') ? `./${name}` : base + name;
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base,
  experimental: { renderBuiltUrl: whereFiles },
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
    rolldownOptions: {
      input: ['index.html', 'link.html'].map((name) =>
        fileURLToPath(new URL(name, import.meta.url)),
      ),
      checks: { bundlerTimings: false, pluginTimings: false },
    },
  },
});
