import { nameWithSize, type Sized, sizeOf, sizeThen } from '../../../shared/sizes';
import { useShopFacts } from '../../ui/shopFacts';

/** @returns the size of a product or of a line, in the shop's units */
export function useSizeOf(): (sized: Sized | undefined) => string | undefined {
  const { units } = useShopFacts();
  return (sized) => sized && sizeOf(sized, units);
}

/** @returns the name of a line with its size, where it stands alone */
export function useNameWithSize(): (line: Parameters<typeof nameWithSize>[0]) => string {
  const { units } = useShopFacts();
  return (line) => nameWithSize(line, units);
}

/** @returns what stands below the name of a line: its size and another text */
export function useSizeThen(): (sized: Sized, text: string) => string {
  const { units } = useShopFacts();
  return (sized, text) => sizeThen(sized, units, text);
}
