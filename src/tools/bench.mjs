/** `npm run bench`: the built shop beside the least that could do the same, as a table for the README (tests/bench). */
import { build, endOnFailure, install, runNode } from './steps.mjs';

const bundle = ['build', '--ssr', 'tests/bench/main.ts', '--outDir', '.cache/bench', '--logLevel', 'warn'];

await install()
  .then(build)
  .then(() => runNode(['node_modules/vite/bin/vite.js', ...bundle]))
  .catch(endOnFailure);
await import('../../.cache/bench/main.js');
