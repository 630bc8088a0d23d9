/** `npm run restore -- <folder>`: restores a shop from a backup to an empty location (src/server/backup). */
import { build, endOnFailure, install } from './steps.mjs';

await install().then(build).catch(endOnFailure);
process.argv.splice(2, 0, 'restore');
await import('../../dist/server/backup.js');
