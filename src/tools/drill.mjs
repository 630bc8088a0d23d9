/** `npm run drill`: kills the built shop again and again under load and looks for what is lost (tests/drill). */
import { build, endOnFailure, install, runNode } from './steps.mjs';

const bundle = ['build', '--ssr', 'tests/drill/main.ts', '--outDir', '.cache/drill', '--logLevel', 'warn'];

await install()
  .then(build)
  .then(() => runNode(['node_modules/vite/bin/vite.js', ...bundle]))
  .catch(endOnFailure);
await import('../../.cache/drill/main.js');
