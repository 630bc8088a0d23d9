/** How an answer is compressed, and for whom: brotli or gzip, by what the client says that it takes. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, type BrotliOptions } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** A shorter answer fits into one packet as it is. */
export const leastBytes = 1024;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** For what is sent many times. Brotli's 7 and gzip's 9 take half as long again, or twice as long, for less than 1 %. */
export const compressOnce = (plain: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotliAsync(plain, brotliOf(plain, 5)) : gzipAsync(plain, { level: 6 });

/** For what is sent once: for a list of 10 kB some 0.05 ms of a thread beside the one that answers. */
export const compressQuickly = (plain: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotliAsync(plain, brotliOf(plain, 1)) : gzipAsync(plain, { level: 1 });

const brotliOf = ({ length }: Buffer, quality: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
});

const mostKnown = 100;
const longest = 200;

/** For what is compressed once: brotli is the smaller one. */
export const encodingFor = choosing(['br', 'gzip']);

/** For what is compressed quickly: in the same time gzip gets further. */
export const quickEncodingFor = choosing(['gzip', 'br']);

/**
 * Chooses the encoding for a client (RFC 9110, Accept-Encoding): the one with the largest weight, of equal ones the first.
 * Browsers send a handful of values, so what was found for one is remembered.
 * @returns given the header's value, of which the first 200 characters are read, the encoding; undefined for a client that
 *   takes none, or would rather have none
 */
function choosing(order: readonly [Encoding, ...Encoding[]]): (accepted: string | undefined) => Encoding | undefined {
  const known = new Map<string, Encoding | 'none'>();
  return (accepted = '') => {
    if (accepted === '' || accepted.length > longest) return chooseEncoding(accepted.slice(0, longest), order);
    let found = known.get(accepted);
    if (found === undefined) {
      found = chooseEncoding(accepted, order) ?? 'none';
      if (known.size >= mostKnown) known.clear();
      known.set(accepted, found);
    }
    return found === 'none' ? undefined : found;
  };
}

function chooseEncoding(accepted: string, order: readonly [Encoding, ...Encoding[]]): Encoding | undefined {
  if (accepted === '') return undefined;
  const weights = new Map(accepted.toLowerCase().split(',').map(readWeight));
  const weightOf = (coding: Encoding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const chosen = order.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  return weightOf(chosen) > 0 && weightOf(chosen) >= (weights.get('identity') ?? 0) ? chosen : undefined;
}

/** `gzip`, `gzip;q=0.5`; a weight that cannot be read counts as none. */
function readWeight(part: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = part.split(';').map((each) => each.trim());
  const weight = parameters.find((each) => /^q\s*=/.test(each));
  if (weight === undefined) return [coding, 1];
  const value = Number(weight.slice(weight.indexOf('=') + 1).trim() || Number.NaN);
  return [coding, value >= 0 && value <= 1 ? value : 0];
}
