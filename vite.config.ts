import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/**
 * The browser app by default; with `--ssr` the server and the test payment provider, or in the mode `render` the part of
 * the browser app that draws public pages inside the server (src/tools/build.mjs runs all three).
 */
export default defineConfig(({ isSsrBuild, mode }) => {
  if (isSsrBuild) return mode === 'render' ? rendering : server;
  return browser;
});

const server = {
  build: {
    target: 'node20',
    outDir: 'dist/server',
    copyPublicDir: false,
    rollupOptions: { input: { main: 'src/server/main.ts', sandbox: 'src/sandbox/main.ts' } },
  },
};

const rendering = {
  root: 'src/web', // the browser app's, since the names of CSS classes come from the paths
  plugins: [react()],
  define: { 'process.env.NODE_ENV': JSON.stringify('production') }, // the browser's React, whatever the server runs as
  ssr: { noExternal: true as const },
  build: {
    target: 'node20',
    outDir: '../../dist/render',
    emptyOutDir: true,
    copyPublicDir: false,
    rollupOptions: { input: { renderPage: 'src/web/renderPage.tsx' } },
  },
};

const browser = {
  root: 'src/web',
  publicDir: '../../public',
  plugins: [react()],
  server: { proxy: { '/api': 'http://localhost:3000', '/pictures': 'http://localhost:3000' } },
  build: {
    target: 'es2022',
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial' as const], test: /node_modules/ },
            { name: 'app', tags: ['$initial' as const] },
          ],
        },
      },
    },
  },
  test: {
    root: '.',
    globalSetup: 'tests/support/globalSetup.ts',
    include: ['tests/{shared,server,web,sandbox}/**/*.test.{ts,tsx}'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 3, // on two cores: much of a test is waiting
  },
};
