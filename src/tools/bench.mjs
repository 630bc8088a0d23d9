/**
 * `npm run bench`: the built shop beside the least that could do the same, as a table for the README (tests/bench);
 * `npm run bench -- payments`: how long an event of the provider and a click on Place Order take;
 * `npm run bench -- worker`: what a request costs more that passes through the service worker;
 * `npm run bench -- search`: how long a key takes in the search on a slow phone;
 * `npm run bench -- lists`: how long the lists of the back office take with 100,000 orders;
 * `npm run bench -- scale`: whether lists and search stay as fast with 100,000 products, orders and users.
 */
import { requireBrowser } from './browser.mjs';
import { build, endOnFailure, install, runNode } from './steps.mjs';

const programs = {
  payments: 'payments',
  worker: 'serviceWorker',
  search: 'search',
  lists: 'adminLists',
  scale: 'scale',
};
const program = programs[process.argv[2]] ?? 'main';
const bundle = ['build', '--ssr', `tests/bench/${program}.ts`, '--outDir', '.cache/bench', '--logLevel', 'warn'];

await install()
  .then(build)
  .then(() => runNode(['node_modules/vite/bin/vite.js', ...bundle]))
  .catch(endOnFailure);
if (program === 'serviceWorker' || program === 'search')
  process.env.SHOP_BROWSER = await requireBrowser().catch(endOnFailure);
await import(`../../.cache/bench/${program}.js`);
