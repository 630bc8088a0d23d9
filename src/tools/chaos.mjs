/**
 * `npm run chaos`: breaks the built shop on purpose, at full length (tests/chaos/main.ts has the list). First several
 * devices change one cart, and the same lists, over a bad network, 1,000 times each (OUTBOX_RUNS;
 * tests/web/outbox/property.test.ts and lists.test.ts). `npm run chaos -- kills payments` runs only these two; the device
 * part is called `outbox`.
 */
import { build, endOnFailure, install, runNode, step } from './steps.mjs';

const outboxRuns = process.env.OUTBOX_RUNS ?? '1000';
const outboxTests = ['tests/web/outbox/property.test.ts', 'tests/web/outbox/lists.test.ts'];
const outbox = ['node_modules/vitest/vitest.mjs', 'run', ...outboxTests];
const bundle = ['build', '--ssr', 'tests/chaos/main.ts', '--outDir', '.cache/chaos', '--logLevel', 'warn'];

const asked = process.argv.splice(2);
const others = asked.filter((name) => name !== 'outbox');
const isOutboxAsked = others.length < asked.length || asked.length === 0;

await install()
  .then(build)
  .then(() => isOutboxAsked && step('outbox chaos', () => runNode(outbox, { OUTBOX_RUNS: outboxRuns })))
  .then(() => runNode(['node_modules/vite/bin/vite.js', ...bundle]))
  .catch(endOnFailure);
process.argv.push(...others);
if (others.length > 0 || asked.length === 0) await import('../../.cache/chaos/main.js');
