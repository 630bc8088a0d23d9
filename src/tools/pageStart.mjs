/** Vite's part for src/web/app/pageStart.ts, which is no file of the app: it stands in each page that the server draws. */
import path from 'node:path';

/** @returns the script, small and in one piece; `appScripts` is free in it */
export async function pageStartScript() {
  const { build } = await import('vite');
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      lib: {
        entry: path.resolve(import.meta.dirname, '../web/app/pageStart.ts'),
        formats: ['iife'],
        name: 'pageStart',
      },
    },
  });
  return output[0].code.trim();
}
