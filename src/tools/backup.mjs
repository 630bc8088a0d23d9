/** `npm run backup -- [folder]`: backs the database and pictures up to a folder, even while the shop runs (src/server/backup). */
import { build, endOnFailure, install } from './steps.mjs';

await install().then(build).catch(endOnFailure);
process.argv.splice(2, 0, 'backup');
await import('../../dist/server/backup.js');
