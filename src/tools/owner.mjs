/** `npm run owner -- --password --second-factor-off`: lets an owner back in who lost the password or the phone (src/server/auth). */
import { build, endOnFailure, install } from './steps.mjs';

await install().then(build).catch(endOnFailure);
await import('../../dist/server/owner.js');
