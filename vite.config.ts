import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { VitePWA, type VitePWAOptions } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { shellPath } from './src/shared/worker';
import { pageStartScript } from './src/tools/pageStart.mjs';
import { themeStyles } from './src/tools/themeStyles.mjs';

/**
 * Builds the browser app by default; with `--ssr` the server and the test payment provider; in mode `render` the part
 * of the browser app that renders public pages on the server (src/tools/build.mjs runs all three). Mode `bench` builds
 * a program of tests/bench, which resolves its packages from node_modules. Mode `dev` builds the server for
 * src/tools/dev.mjs.
 */
export default defineConfig(async ({ isSsrBuild, mode }) => {
  if (isSsrBuild)
    return mode === 'render' ? rendering() : mode === 'bench' ? bench : mode === 'dev' ? serverInDev : server;
  return process.env['VITEST'] ? { ...browser, test: await testing() } : browser;
});

/**
 * Packages that are not bundled into the server: those with native code, and the compiler, which graphile-worker needs
 * only for a configuration in TypeScript. Everything else is bundled, because finding and reading the files of about a
 * hundred packages took more than half of the CPU time of a start.
 */
const unbundledPackages = ['sharp', '@node-rs/argon2', 'typescript'];

/**
 * Escapes characters outside Latin-1: a single one makes V8 store the whole source file with two bytes per character
 * for the life of the process. In strings and patterns an escape means the same. In raw strings or after a backslash it
 * does not, so the build fails if a package has such a character there.
 */
const escapeNonLatin1: Plugin = {
  name: 'escape-non-latin1',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      if (/String\.raw`[^`]*[\u0100-\uffff]|\\[\u0100-\uffff]/.test(file.code))
        this.error(`${file.fileName}: a raw letter`);
      file.code = file.code.replaceAll(/[\u0100-\uffff]/g, escapeOf);
    }
  },
};

const escapeOf = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const server = {
  plugins: [escapeNonLatin1],
  ssr: { noExternal: true as const, external: unbundledPackages },
  build: {
    target: 'node20',
    outDir: 'dist/server',
    copyPublicDir: false,
    rollupOptions: {
      input: {
        main: 'src/server/main.ts',
        backup: 'src/server/backup/program.ts',
        owner: 'src/server/auth/program.ts',
        sandbox: 'src/sandbox/main.ts',
      },
      output: { comments: false as const },
    },
  },
};

/** Bundles no packages, so that a change is built within a second. */
const serverInDev = {
  build: {
    target: 'node20',
    outDir: '.cache/dev', // same depth as dist/server, from which the server finds the project folder
    copyPublicDir: false,
    sourcemap: true,
    rollupOptions: { input: { main: 'src/server/main.ts', database: 'src/server/db/embedded/embeddedPostgres.ts' } },
  },
};

const bench = { build: { target: 'node20', copyPublicDir: false } };

const rendering = async () => ({
  root: 'src/web', // same as the browser app's, since the CSS class names are derived from the paths
  plugins: [react(), themeStyles(), escapeNonLatin1],
  define: {
    'process.env.NODE_ENV': JSON.stringify('production'), // same React build as in the browser
    pageStartScript: JSON.stringify(await pageStartScript()),
  },
  ssr: { noExternal: true as const },
  build: {
    target: 'node20',
    outDir: '../../dist/render',
    emptyOutDir: true,
    copyPublicDir: false,
    rollupOptions: { input: { renderPage: 'src/web/renderPage.tsx' } },
  },
});

/**
 * The service worker precaches every file of the app, and the page it starts from. Each entry has a hash of its
 * content, so no other content is accepted; a file with the hash in its name is not requested twice.
 */
const worker: Partial<VitePWAOptions> = {
  strategies: 'injectManifest',
  srcDir: '../../sw',
  filename: 'sw.ts',
  injectRegister: false, // src/web/device/serviceWorker.ts
  manifest: false, // src/server/settings/brandFiles.ts
  injectManifest: {
    rollupFormat: 'iife',
    // not the icons and the manifest, which the owner's name and logo change
    globPatterns: ['index.html', 'assets/*.{js,css,woff2}', 'picture-missing.svg'],
    manifestTransforms: [
      async (entries) => ({
        manifest: await Promise.all((await filesForShoppers(entries)).map(withIntegrity)),
        warnings: [],
      }),
    ],
  },
};

type Part = { file: string; css?: string[]; assets?: string[]; imports?: string[]; dynamicImports?: string[] };

/** Excludes files used only by the back office: it needs a connection, and shoppers' devices do not store it. */
async function filesForShoppers<File extends { url: string }>(entries: File[]): Promise<File[]> {
  const parts = JSON.parse(await readFile(path.join(builtApp, '.vite/manifest.json'), 'utf8')) as Record<string, Part>;
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name) || name.startsWith('admin/')) return;
    seen.add(name);
    for (const next of [...(parts[name]?.imports ?? []), ...(parts[name]?.dynamicImports ?? [])]) visit(next);
  };
  visit('index.html');
  const filesOf = ([, { file, css = [], assets = [] }]: [string, Part]) => [file, ...css, ...assets];
  const all = new Set(Object.entries(parts).flatMap(filesOf));
  const included = new Set(
    Object.entries(parts)
      .filter(([name]) => seen.has(name))
      .flatMap(filesOf),
  );
  return entries.filter(({ url }) => included.has(url) || !all.has(url));
}

type Entry = { url: string; revision: string | null; size: number; integrity?: string };

async function withIntegrity(entry: Entry): Promise<Entry> {
  const content = await readFile(path.join(builtApp, entry.url));
  const integrity = `sha256-${createHash('sha256').update(content).digest('base64')}`;
  return { ...entry, url: entry.url === 'index.html' ? shellPath : `/${entry.url}`, integrity };
}

let builtApp = '';
const rememberOutDir: Plugin = {
  name: 'remember-out-dir',
  configResolved: ({ root, build }) => void (builtApp = path.resolve(root, build.outDir)),
};

/**
 * Excludes long tests of rare failures: run them with `npm run test:nightly`, or one of its parts by name. Tests of
 * code that rarely breaks run in `.ci/run` (TEST_WITHOUT_CI, src/tools/test.mjs).
 */
const excluded = [
  ...(process.env['TEST_NIGHTLY'] ? [] : ['**/*.nightly.test.ts']),
  ...(process.env['TEST_WITHOUT_CI'] ? ['**/*.ci.test.ts'] : []),
];

const tests = {
  exclude: excluded,
  testTimeout: 180_000, // far more than a test takes, so that tests do not fail on a busy machine
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000, interval: 50 } }, // same as in the browser tests
  isolate: false, // loading every module again for each file took longer than the tests
  sequence: { shuffle: true },
};

/** Tiny modules that several pages use share a chunk, because the first load contains the name of each chunk. */
const smallParts = {
  test: /\/src\/(?:web\/(?:browser|ui)\/(?!.*(?:Menu|Dialog|Modal|Drawer|Themed))|shared\/(?!.*(?:Forms|zod))|web\/(?!admin\/).*\.module\.css)/,
  maxModuleSize: 350,
  minShareCount: 2,
};
/** Those of the back office, apart from what customers load. */
const smallStaffParts = { ...smallParts, test: /\/src\/web\/admin\/.*\.module\.css/ };

/** Includes the modules of features that store data in the same database. */
const kitchenParts = /\/src\/web\/(?:device\/kitchen|lists\/savedLists|waiting\/savedIntent)\.ts$/;

const browser = {
  root: 'src/web',
  publicDir: '../../public',
  plugins: [react(), themeStyles(), rememberOutDir, VitePWA(worker)],
  server: {
    proxy: Object.fromEntries(
      ['/api', '/healthz', '/pictures', '/portraits'].map((path) => [
        path,
        `http://localhost:${process.env['PORT'] ?? 3000}`,
      ]),
    ),
  },
  build: {
    target: 'es2022',
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all' as const } }, // key and channel names are smaller inline than as exports
      output: {
        // unnamed, because the first load contains the name of each later chunk; the manifest maps them
        chunkFileNames: ({ name }) => (name === 'vendor' ? 'assets/[name]-[hash].js' : 'assets/[hash].js'),
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css')) ? 'assets/[hash][extname]' : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial' as const], test: /node_modules/ },
            { name: 'app', tags: ['$initial' as const] },
            { name: 'small', ...smallParts, includeDependenciesRecursively: false },
            { name: 'smallStaff', ...smallStaffParts, includeDependenciesRecursively: false },
            { name: 'kitchen', test: kitchenParts, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
};

/** Imported only for tests: a machine that only builds may not have the folder `tests`. */
const testing = async () => {
  const { sequencer } = await import('./tests/support/sequencer');
  return {
    globalSetup: 'tests/support/globalSetup.ts', // once, for all projects
    root: '.',
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/modules' }, // short runs start faster
    maxWorkers: 2, // each worker loads every module again, so more workers are slower
    // random order, since tests are independent; the seed is printed, and TEST_SEED repeats the order
    sequence: { sequencer, seed: Number(process.env['TEST_SEED'] ?? Date.now() % 100_000) },
    // like src/server/main.ts: the job runner releases its jobs without waiting for a database that is gone
    onUnhandledError: ({ message }) => message !== 'timeout exceeded when trying to connect',
    projects: [
      {
        test: {
          ...tests,
          name: 'server',
          include: ['tests/{shared,server,sandbox,tools}/**/*.test.ts'],
        },
      },
      {
        plugins: [react(), themeStyles()],
        test: {
          ...tests,
          name: 'web',
          environment: 'happy-dom',
          include: ['tests/web/**/*.test.ts'],
          setupFiles: ['tests/support/newDevice.ts', 'tests/support/lateImports.ts'],
        },
      },
      // after all others
      {
        test: { ...tests, name: 'books', include: ['tests/support/sharedBooks.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  };
};
