/** The URL of an account's avatar. The users table stores only the URL of its WebP file. */
import type { Schema } from '../../../shared/contract';

export const avatarWidth = 160;
const address = /^(\/portraits\/([0-9a-f]{32}))-160\.webp$/;

/** @param id 32 hexadecimal digits */
export const avatarUrl = (id: string): string => `/portraits/${id}-${avatarWidth}.webp`;

/** @returns undefined when the URL is not one of our avatars */
export const avatarIdOf = (imageUrl: string | null): string | undefined => address.exec(imageUrl ?? '')?.[2];

export function presentAvatar(imageUrl: string | null): Schema<'UserPicture'> | null {
  const base = address.exec(imageUrl ?? '')?.[1];
  return base === undefined ? null : { base, widths: [avatarWidth] };
}
