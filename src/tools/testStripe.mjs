/**
 * `npm run test:stripe`: one purchase at the real provider, in its test mode. It needs a key, the network and a browser, so
 * it is not part of `npm test`. No money moves.
 */
import { createInterface } from 'node:readline/promises';
import { requireBrowser } from './browser.mjs';
import { endOnFailure, install, run } from './steps.mjs';

const key = process.env.STRIPE_SECRET_KEY || (await askForKey());
if (!/^(?:[sr]k_test_\w+|sandbox)$/.test(key)) {
  console.error('STRIPE_SECRET_KEY must be a test key (sk_test_…): STRIPE_SECRET_KEY=sk_test_… npm run test:stripe');
  process.exit(1);
}
await install()
  .then(requireBrowser)
  .then((browser) =>
    run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/stripe/vitest.config.ts'], {
      NODE_ENV: 'test',
      STRIPE_SECRET_KEY: key,
      SHOP_BROWSER: browser,
    }),
  )
  .then((printed) => console.log(printed))
  .catch(endOnFailure);

/** Asks only in an interactive terminal. */
async function askForKey() {
  if (!process.stdin.isTTY) return '';
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Stripe test secret key (sk_test_…): ');
  terminal.close();
  return answer.trim();
}
