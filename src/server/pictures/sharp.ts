import type sharp from 'sharp';
import { pictureLimits } from '../../shared/pictureUploads';

type Sharp = typeof sharp;
let loaded: Promise<Sharp> | undefined;

/** Loaded with the first picture. One thread and no cache, since the shop runs on the same machine. */
export const loadSharp = (): Promise<Sharp> => (loaded ??= load());

async function load(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(1);
  library.cache(false);
  // allow only the accepted types' decoders, so that a disguised file reaches no other
  library.block({ operation: ['VipsForeignLoad'] });
  library.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((type) => `VipsForeignLoad${type}`),
  });
  return library;
}

export const decoding = { limitInputPixels: pictureLimits.pixels, failOn: 'error', pages: 1 } as const;
