import type { LineFacts } from '../../shared/cart';
import { sizeFacts, type Sized } from '../../shared/sizes';

/** @returns the facts that a product or a line has */
export const lineFacts = ({ compareAtPrice, ...sized }: Sized & Pick<LineFacts, 'compareAtPrice'>): LineFacts => ({
  ...(compareAtPrice && { compareAtPrice }),
  ...sizeFacts(sized),
});
