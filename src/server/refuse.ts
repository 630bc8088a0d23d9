import { ConfigError } from './config';

/** Ends the process. What a person can put right is one sentence; the rest keeps its stack. */
export function refuse(error: unknown): never {
  const { message, code, stack } = error as Error & { code?: string };
  const isSaid =
    error instanceof ConfigError || (error instanceof Error && error.constructor === Error && code === undefined);
  process.stderr.write(`${isSaid ? message : (stack ?? message)}\n`);
  process.exit(1);
}
