/** Response compression with brotli or gzip, chosen by the client's Accept-Encoding. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, type BrotliOptions } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** A shorter response fits into one packet uncompressed. */
export const minCompressedBytes = 1024;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** For cached responses. Brotli level 7 takes 50 % longer and gzip level 9 twice as long, to save less than 1 %. */
export const compressOnce = (plain: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotliAsync(plain, brotliOf(plain, 5)) : gzipAsync(plain, { level: 6 });

/** For responses sent once. A list of 10 kB takes about 0.05 ms of a worker thread. */
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

/** For `compressOnce`: brotli gives the smaller result. */
export const encodingFor = choosing(['br', 'gzip']);

/** For `compressQuickly`: gzip compresses better in the same time. */
export const quickEncodingFor = choosing(['gzip', 'br']);

/**
 * Chooses the encoding for a client (RFC 9110, Accept-Encoding): the one with the highest weight, or the first of equals.
 * Browsers send only a few distinct values, so results are memoized.
 * @returns a function from the header's value, of which only the first 200 characters are read, to the encoding;
 *   undefined if the client accepts none or prefers none
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

/** Parses `gzip` or `gzip;q=0.5`. An invalid weight counts as 0. */
function readWeight(part: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = part.split(';').map((each) => each.trim());
  const weight = parameters.find((each) => /^q\s*=/.test(each));
  if (weight === undefined) return [coding, 1];
  const value = Number(weight.slice(weight.indexOf('=') + 1).trim() || Number.NaN);
  return [coding, value >= 0 && value <= 1 ? value : 0];
}
