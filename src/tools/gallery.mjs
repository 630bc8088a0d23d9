/**
 * `npm run gallery`: screenshots of every screen in each of its states, in four widths, light and dark, in `gallery/`. It
 * fails like the tests do (tests/e2e/screens.spec.ts): on errors, horizontal scroll, small targets and axe findings.
 * `npm run gallery -- cart` takes only screens whose name contains the word.
 */
import path from 'node:path';
import { requireBrowser } from './browser.mjs';
import { build, endOnFailure, install, root, runNode } from './steps.mjs';

const names = process.argv.slice(2).flatMap((word) => ['--grep', word]);
const args = ['test', '--config', 'tests/e2e/playwright.config.ts', '--project', 'screens', ...names];

await install()
  .then(build)
  .then(requireBrowser)
  .then((browser) =>
    runNode(['node_modules/playwright/cli.js', ...args], {
      SHOP_BROWSER: browser,
      GALLERY: path.join(root, 'gallery'),
    }),
  )
  .catch(endOnFailure);
