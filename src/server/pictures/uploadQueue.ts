import { createFairQueue } from '../http/limits/fairQueue';
import { unavailable } from '../http/core/problems';

/**
 * Uploads that are processed while their sender waits: avatars and the logo, one at a time. Each waiting one holds up to
 * 10 MB in memory, so few may wait.
 */
export const uploadQueue = createFairQueue({
  concurrency: 1,
  waiting: 6,
  ofNetwork: 4,
  ofAccount: 2,
  tooMany: unavailable,
  full: unavailable,
});
