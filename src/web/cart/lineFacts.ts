import type { LineFacts } from '../../shared/cart';

/** @returns the facts that a product or a line has */
export const lineFacts = ({ compareAtPrice, netGrams, netMillilitres }: LineFacts): LineFacts => ({
  ...(compareAtPrice && { compareAtPrice }),
  ...(netGrams && { netGrams }),
  ...(netMillilitres && { netMillilitres }),
});
