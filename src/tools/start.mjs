/**
 * `npm start`: from a fresh clone to a running shop. The server runs in this process, so signals reach it; it ends with the
 * process that started it.
 */
import { endWithStarters } from './endWithParent.mjs';
import { build, endOnFailure, install } from './steps.mjs';

endWithStarters();
await install().then(build).catch(endOnFailure);
process.env.NODE_ENV ??= 'production';
await import('../../dist/server/main.js');
