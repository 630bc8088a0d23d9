import { StartError } from './startError';

/** Ends the process. A `StartError` prints only its sentence; any other error prints its stack. */
export function exitWithError(error: unknown): never {
  const { message, stack } = error as Error;
  process.stderr.write(`${error instanceof StartError ? message : (stack ?? message)}\n`);
  process.exit(1);
}
