/** Where the picture of an account is served: the one column that says so holds its WebP file. */
import type { Schema } from '../../shared/contract';

export const portraitWidth = 160;
const address = /^(\/portraits\/([0-9a-f]{32}))-160\.webp$/;

/** @param id 32 hexadecimal digits */
export const portraitUrl = (id: string): string => `/portraits/${id}-${portraitWidth}.webp`;

/** @returns the id; undefined when the address is none of ours */
export const portraitIdOf = (imageUrl: string | null): string | undefined => address.exec(imageUrl ?? '')?.[2];

export function presentPortrait(imageUrl: string | null): Schema<'UserPicture'> | null {
  const base = address.exec(imageUrl ?? '')?.[1];
  return base === undefined ? null : { base, widths: [portraitWidth] };
}
