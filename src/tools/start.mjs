/** `npm start`: from a fresh clone to a running shop. The server runs in this process, so signals reach it. */
import { build, endOnFailure, install } from './steps.mjs';

await install().then(build).catch(endOnFailure);
process.env.NODE_ENV ??= 'production';
await import('../../dist/server/main.js');
