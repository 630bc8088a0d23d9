import type { Schema } from '../../../shared/contract';
import { netSize } from '../../../shared/unitPrice';
import { useShopFacts } from '../../ui/shopFacts';

type Sized = Pick<Schema<'Product'>, 'unitSize' | 'netGrams' | 'netMillilitres'>;

/** @returns a product's net amount in the shop's units; without one its size as staff wrote it */
export function useSizeOf(): (product: Sized | undefined) => string | undefined {
  const { units } = useShopFacts();
  return (product) => product && (netSize(product, units) ?? product.unitSize ?? undefined);
}
