/**
 * `npm run bench`: runs `ratios`, `scale` and `pages`. Each can be run by name, and so can the others:
 * `npm run bench -- ratios`: the built shop compared with the minimal code for the same work;
 * `npm run bench -- scale`: whether lists and search stay as fast with 100,000 products, orders and users;
 * `npm run bench -- pages`: scripts, layout shifts and route changes in the browser;
 * `npm run bench -- brand`: pages with the owner's look and pages, compared with the initial ones;
 * `npm run bench -- misses`: uncached lists and searches;
 * `npm run bench -- starts`: starts, memory, and a kill under load;
 * `npm run bench -- sweeper`: the cost of open orders that are never paid;
 * `npm run bench -- payments`: the time for a provider event and for a click on Place Order;
 * `npm run bench -- worker`: the service worker's overhead per request;
 * `npm run bench -- search`: the time per keystroke in the search on a slow phone;
 * `npm run bench -- kitchen`: the time per tap of a count on a slow phone, and until all devices agree;
 * `npm run bench -- lists`: back office lists with 100,000 orders;
 * `npm run bench -- quotes`: a quote compared with a read of its cart;
 * `npm run bench -- imports`: the time and memory of a large import, and what customers notice of it;
 * `npm run bench -- photos`: what customers notice while photos are added;
 * `npm run bench -- abuse`: customers' waiting time while the shop is attacked.
 */
import { requireBrowser } from './browser.mjs';
import { build, endOnFailure, install, runNode } from './steps.mjs';

const usual = ['ratios', 'scale', 'pages'];
const byName = [
  'brand',
  'misses',
  'starts',
  'sweeper',
  'payments',
  'worker',
  'search',
  'kitchen',
  'lists',
  'quotes',
  'imports',
  'photos',
  'abuse',
];
const inBrowser = ['pages', 'worker', 'search', 'kitchen'];

const [name] = process.argv.slice(2);
if (name !== undefined && ![...usual, ...byName].includes(name)) {
  console.error(`There's no benchmark named ${name}: ${[...usual, ...byName].join(', ')}`);
  process.exit(1);
}
const chosen = name === undefined ? usual : [name];
const bundle = (program) => [
  'build',
  '--ssr',
  `tests/bench/${program}.ts`,
  '--mode',
  'bench',
  '--outDir',
  '.cache/bench',
  '--logLevel',
  'warn',
];

await install().then(build).catch(endOnFailure);
for (const program of chosen) {
  await runNode(['node_modules/vite/bin/vite.js', ...bundle(program)]).catch(endOnFailure);
  if (inBrowser.includes(program)) process.env.SHOP_BROWSER = await requireBrowser().catch(endOnFailure);
  await import(`../../.cache/bench/${program}.js`);
  console.log();
}
