/** Builds src/web/app/pageStart.ts, which is not part of the app: it is inlined in each page that the server renders. */
import path from 'node:path';

/** @returns the script, minified and in one piece; it references `appScripts`, which the page defines */
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
