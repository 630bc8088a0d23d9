/**
 * `npm run bench`: `ratios`, `scale` and `pages`, one after the other; by name each, and besides
 * `npm run bench -- ratios`: the built shop beside the least that could do the same;
 * `npm run bench -- scale`: whether lists and search stay as fast with 100,000 products, orders and users;
 * `npm run bench -- pages`: scripts, layout shifts and route changes in the browser;
 * `npm run bench -- misses`: lists and searches that are not kept;
 * `npm run bench -- starts`: starts, memory, and a kill under load;
 * `npm run bench -- sweeper`: what open orders cost that nobody pays;
 * `npm run bench -- payments`: how long an event of the provider and a click on Place Order take;
 * `npm run bench -- worker`: what a request costs more that passes through the service worker;
 * `npm run bench -- search`: how long a key takes in the search on a slow phone;
 * `npm run bench -- kitchen`: how long the taps of a count take on a slow phone, and how soon all devices are equal;
 * `npm run bench -- lists`: how long the lists of the back office take with 100,000 orders;
 * `npm run bench -- quotes`: how long a quote of an order takes beside a read of its cart;
 * `npm run bench -- abuse`: how long customers wait while the shop is attacked.
 */
import { requireBrowser } from './browser.mjs';
import { build, endOnFailure, install, runNode } from './steps.mjs';

const usual = ['ratios', 'scale', 'pages'];
const byName = ['misses', 'starts', 'sweeper', 'payments', 'worker', 'search', 'kitchen', 'lists', 'quotes', 'abuse'];
const inBrowser = ['pages', 'worker', 'search', 'kitchen'];

const [name] = process.argv.slice(2);
if (name !== undefined && ![...usual, ...byName].includes(name)) {
  console.error(`There is no bench named ${name}: ${[...usual, ...byName].join(', ')}`);
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
