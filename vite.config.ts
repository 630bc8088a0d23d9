import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** The browser app by default; the server and the test payment provider with `--ssr` (src/tools/build.mjs runs both). */
export default defineConfig(({ isSsrBuild }) =>
  isSsrBuild
    ? {
        build: {
          target: 'node20',
          outDir: 'dist/server',
          copyPublicDir: false,
          rollupOptions: { input: { main: 'src/server/main.ts', sandbox: 'src/sandbox/main.ts' } },
        },
      }
    : {
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
                  { name: 'vendor', tags: ['$initial'], test: /node_modules/ },
                  { name: 'app', tags: ['$initial'] },
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
        },
      },
);
