/** `npm run build`: both halves of the shop into dist, where they are stale. */
import { build, endOnFailure, install } from './steps.mjs';

await install().then(build).catch(endOnFailure);
