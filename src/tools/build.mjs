/** `npm run build`: builds the stale parts of the shop into dist. */
import { build, endOnFailure, install } from './steps.mjs';

await install().then(build).catch(endOnFailure);
