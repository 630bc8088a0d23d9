import path from 'node:path';
import { build, type Plugin } from 'vite';

/**
 * The device layer with all that it needs, as one classic script that takes everything of the browser's from the globals
 * around it, and ends in the global `release`. What draws on the screen is left out.
 */
export async function bundleDeviceLayer(): Promise<string> {
  const built = await build({
    configFile: false,
    root: path.resolve('.'),
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [withoutScreen],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: path.resolve('tests/support/deviceLayer.ts'), name: 'release', formats: ['iife'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('nothing was built');
  return output.output[0].code;
}

const drawn = /^(?:react|react-hot-toast\/headless)$/;

const withoutScreen: Plugin = {
  name: 'without-screen',
  enforce: 'pre',
  resolveId(name) {
    if (name === '@tanstack/react-query') return this.resolve('@tanstack/query-core');
    return drawn.test(name) ? `\0${name}` : undefined;
  },
  load: (id) =>
    id.startsWith('\0react')
      ? 'export const toast = () => undefined; export const useSyncExternalStore = () => undefined;'
      : undefined,
};
