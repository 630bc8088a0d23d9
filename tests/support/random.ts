/** Reproducible randomness: from one seed, which a failing test prints. */
import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { createRandom, type Random } from '../chaos/random';

/** A fresh seed for each run, or TEST_SEED. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));

export const logSeed = () => void process.stderr.write(`the same again: TEST_SEED=${seed}\n`);

/** For one test; on failure it prints how to reproduce the run. */
export const seededRandom = (): Random => createRandom(toldSeed());

/** For a test that passes the seed on. */
export function toldSeed(): number {
  onTestFailed(logSeed);
  return seed;
}

/** Bytes without a pattern, the same each time. */
export function noiseBytes(length: number): Buffer {
  const { below } = createRandom(length);
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) bytes[at] = below(256);
  return bytes;
}
