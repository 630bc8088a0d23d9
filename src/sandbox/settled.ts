import { ApiError } from './apiError';

const maxReads = 5;

/** What was done could not be written to the disk, and has been taken back. */
export class NotWritten extends ApiError {
  constructor() {
    super(503, 'This could not be written down. Nothing was done. Please try again.', {
      type: 'api_error',
      shouldRetry: true,
    });
  }
}

/**
 * Reads, and waits until what was read is on the disk. Where a write fails meanwhile it may have read what was taken
 * back then, so it reads again: also while nothing can be written, what is there is shown.
 * @throws NotWritten when writes fail again and again just then
 */
export async function readSettled<A>(settle: () => Promise<void>, read: () => A): Promise<A> {
  for (let reads = 1; reads <= maxReads; reads += 1) {
    const answer = read();
    const isOnDisk = await settle().then(
      () => true,
      () => false,
    );
    if (isOnDisk) return answer;
  }
  throw new NotWritten();
}
