import { StartError } from './startError';

/** Ends the process. What a person can put right is one sentence; anything else shows its stack. */
export function exitWithError(error: unknown): never {
  const { message, stack } = error as Error;
  process.stderr.write(`${error instanceof StartError ? message : (stack ?? message)}\n`);
  process.exit(1);
}
