/**
 * Google's CSP Evaluator over the policy of seven pages; fails when it finds anything of high severity.
 *
 *   node tests/security/csp.mjs <folder with the evaluator>
 *
 * The evaluator is no dependency. Once, in a folder of your own: npm i --ignore-scripts csp_evaluator@1.1.8. Needs a built
 * shop (npm run build), and starts it on a data folder of its own.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { openBuiltShop } from './builtShop.mjs';

const [evaluator] = process.argv.slice(2);
if (!evaluator) throw new Error('say where the evaluator is: node tests/security/csp.mjs /tmp/evaluator');
const require = createRequire(path.resolve(evaluator, 'node_modules/csp_evaluator/package.json'));
const { CspEvaluator } = require('csp_evaluator/dist/evaluator.js');
const { CspParser } = require('csp_evaluator/dist/parser.js');
const { Severity } = require('csp_evaluator/dist/finding.js');

const pages = ['/', '/login', '/products/savory', '/cart', '/dashboard', '/nothing-here', '/api/public/products'];
const shop = await openBuiltShop({ PORT: '43200', SANDBOX_PORT: '43201', HOST: '127.0.0.1' });
try {
  for (const page of pages) {
    const { headers } = await fetch(shop.url + page, { headers: { accept: 'text/html' } });
    const policy = headers.get('content-security-policy') ?? '';
    const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
    const high = findings.filter(({ severity }) => severity === Severity.HIGH);
    if (policy === '' || high.length > 0) process.exitCode = 1;
    process.stdout.write(`${page}: ${policy ? `${high.length} high of ${findings.length} findings` : 'no policy'}\n`);
    for (const { severity, directive, value, description } of findings)
      process.stdout.write(`  ${Severity[severity]} ${directive} ${value ?? ''}: ${description}\n`);
  }
} finally {
  await shop.close();
}
