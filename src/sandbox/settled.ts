import { ApiError } from './apiError';

const maxReads = 5;

/** A change could not be written to disk, and was undone. */
export class NotWritten extends ApiError {
  constructor() {
    super(503, 'This could not be saved, so nothing was done. Please try again.', {
      type: 'api_error',
      shouldRetry: true,
    });
  }
}

/**
 * Reads, then waits until everything read is on disk. If a write fails meanwhile, the read may have seen a change that was
 * undone, so it is repeated: reads work even while nothing can be written.
 * @throws NotWritten when five writes in a row fail meanwhile
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
