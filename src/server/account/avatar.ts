/** Where the picture of an account is served: the one column that says so holds its WebP file. */
import type { Schema } from '../../shared/contract';

export const avatarWidth = 160;
const address = /^(\/portraits\/([0-9a-f]{32}))-160\.webp$/;

/** @param id 32 hexadecimal digits */
export const avatarUrl = (id: string): string => `/portraits/${id}-${avatarWidth}.webp`;

/** @returns the id; undefined when the address is none of ours */
export const avatarIdOf = (imageUrl: string | null): string | undefined => address.exec(imageUrl ?? '')?.[2];

export function presentAvatar(imageUrl: string | null): Schema<'UserPicture'> | null {
  const base = address.exec(imageUrl ?? '')?.[1];
  return base === undefined ? null : { base, widths: [avatarWidth] };
}
