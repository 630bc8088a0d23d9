/** The catalog as the contract shows it. */
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { CategoryRow, PicturedCategoryRow, ProductRow } from './repository';

const shownWidth = 640;

/** Where a picture lies, as an address for an <img> that knows one size only. */
export const pictureUrl = (hash: string | null): string | null => hash && `${pictureBase(hash)}-${shownWidth}.webp`;

const pictureBase = (hash: string) => `/pictures/${hash}`;

export const presentCategory = ({ id, name, title, description }: CategoryRow): Schema<'Category'> => ({
  id,
  name,
  title,
  description,
});

export const presentPicturedCategory = ({ picture, ...category }: PicturedCategoryRow): Schema<'Category'> => ({
  ...presentCategory(category),
  picture: picture && presentPicture(picture),
});

const presentPicture = ({ hash, widths, placeholder, alt }: NonNullable<PicturedCategoryRow['picture']>) => ({
  base: pictureBase(hash),
  widths,
  placeholder,
  alt,
});

/** A product can be bought when its flag is set and there is one to sell. Source: decisions §4 */
export function presentProduct(product: ProductRow): Schema<'Product'> {
  const { category, picture } = product;
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    price: fromCents(product.priceCents),
    availability: product.availability && product.quantity > 0,
    quantity: product.quantity,
    imageUrl: pictureUrl(picture?.hash ?? null),
    productCategory: { id: category.id, name: category.name, title: category.title },
    version: product.version,
    picture: picture && presentPicture({ ...picture, alt: product.pictureAlt ?? product.name }),
    unitSize: product.unitSize,
    origin: product.origin,
    heatLevel: product.heatLevel,
    allergens: product.allergens,
    otherNames: product.otherNames,
    archived: product.archivedAt !== null,
  };
}
