/** Converts the catalog's rows to the contract's types. */
import { pictureMessages } from '../../shared/pictureUploads';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { ProductFieldName } from '../../shared/productFields';
import type { StoredPhoto } from '../db/schema/catalog';
import type { Card } from './cards';
import { photosInOrder, presentStaffPhoto, readyPhotos } from './photos';
import { asCardProduct } from '../../shared/pairs';
import { bySize } from '../../shared/sizeGroups';
import { presentFacts } from './productFacts';
import type { CategoryRow, PicturedCategoryRow, ProductRow } from './repository';
import type { SizeRow, StaffSizeRow } from './sizesRepository';
import type { OthersOfPage } from './service';
import type { StaffCategoryRow } from './staffCategories';
import type { StaffProductRow } from './staffRepository';

const shownWidth = 640;

/** The URL of a picture for an <img> with one size. */
export const pictureUrl = (hash: string | null): string | null => hash && photoUrl(hash);
const photoUrl = (hash: string): string => `${pictureBase(hash)}-${shownWidth}.webp`;

const pictureBase = (hash: string) => `/pictures/${hash}`;

export const presentCategory = ({ id, name, title, description, createdAt }: CategoryRow): Schema<'Category'> => ({
  id,
  name,
  title,
  description,
  createdAt: createdAt.toISOString(),
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

type ShownFacts = Pick<Schema<'Product'>, ProductFieldName & keyof Schema<'Product'>>;
type StaffFacts = Pick<Schema<'StaffProduct'>, ProductFieldName & keyof Schema<'StaffProduct'>>;

/** A product can be bought when its flag is set and its quantity is above 0. Rule: docs/rules/catalog.md, Products */
export function presentProduct(product: ProductRow): Schema<'Product'> {
  const { category, picture } = product;
  return {
    ...(presentFacts(product, false) as ShownFacts),
    id: product.id,
    availability: product.availability && product.quantity > 0,
    quantity: product.quantity,
    imageUrl: pictureUrl(picture?.hash ?? null),
    productCategory: { id: category.id, name: category.name, title: category.title },
    version: product.version,
    picture: picture && presentPicture({ ...picture, alt: product.pictureAlt ?? product.name }),
    createdAt: product.createdAt.toISOString(),
    archived: product.archivedAt !== null,
    ...(product.bestsellerRank !== null && { bestsellerRank: product.bestsellerRank }),
    ...(product.sizeGroup !== null && { sizeGroup: product.sizeGroup }),
  };
}

/** A single product, with all its photos if there are several. */
export function presentWholeProduct(product: ProductRow): Schema<'Product'> {
  const shown = presentProduct(product);
  const photos = readyPhotos(product);
  if (photos.length < 2) return shown;
  const presentPhoto = ({ alt, ...photo }: StoredPhoto) => ({
    ...presentPicture({ ...photo, alt: alt ?? product.name }),
    id: photo.hash,
    imageUrl: photoUrl(photo.hash),
  });
  return { ...shown, photos: photos.map(presentPhoto) };
}

/**
 * A single product, with what its page shows of others.
 * @param sizes of its group; none if no other is on sale. Rule: docs/rules/catalog.md, Sizes
 */
export const presentProductOfPage = (
  product: ProductRow,
  { sizes, goesWellWith }: OthersOfPage,
): Schema<'Product'> => ({
  ...presentWholeProduct(product),
  ...presentSizes(sizes),
  ...(goesWellWith.length > 0 && { goesWellWith: goesWellWith.map((other) => asCardProduct(presentProduct(other))) }),
});

/** A product in a list. */
export const presentCard = ({ product, sizes }: Card): Schema<'Product'> => ({
  ...presentProduct(product),
  ...presentSizes(sizes),
});

const presentSizes = (sizes: readonly SizeRow[]) =>
  sizes.length > 0 && { sizes: sizes.map(presentSize).toSorted(bySize) };

export const presentStaffSizes = (sizes: readonly StaffSizeRow[]): Schema<'StaffSize'>[] =>
  sizes.map(presentStaffSize).toSorted(bySize);

const presentStaffSize = ({ version, archivedAt, ...size }: StaffSizeRow): Schema<'StaffSize'> => {
  const { sku, barcode, shippingGrams } = size;
  const { slug: _, ...shown } = presentSize(size);
  return {
    ...shown,
    version,
    ...(sku !== null && { sku }),
    ...(barcode !== null && { barcode }),
    ...(shippingGrams !== null && { shippingGrams }),
    archived: archivedAt !== null,
  };
};

const presentSize = ({ compareAtCents, netGrams, netMillilitres, slug, ...size }: SizeRow): Schema<'ProductSize'> => ({
  id: size.id,
  name: size.name,
  price: fromCents(size.priceCents),
  ...(compareAtCents !== null && { compareAtPrice: fromCents(compareAtCents) }),
  availability: size.availability && size.quantity > 0,
  quantity: size.quantity,
  unitSize: size.unitSize,
  ...(netGrams !== null && { netGrams }),
  ...(netMillilitres !== null && { netMillilitres }),
  ...(slug !== null && { slug }),
});

/** Adds the size of the picture files, which devices show before downloading them. */
export function presentFeedProduct(product: ProductRow): Schema<'Product'> {
  const shown = presentWholeProduct(product);
  const { keptAvifBytes: avif, keptWebpBytes: webp } = product.picture ?? {};
  if (!shown.picture || !avif || !webp) return shown;
  return { ...shown, picture: { ...shown.picture, keptBytes: { avif, webp } } };
}

export const presentStaffCategory = ({
  products,
  archivedProducts,
  ...category
}: StaffCategoryRow): Schema<'StaffCategory'> => ({ ...presentCategory(category), products, archivedProducts });

/** The public product with the fields for staff. */
export function presentStaffProduct(product: StaffProductRow): Schema<'StaffProduct'> {
  const { archived: _, bestsellerRank: __, sizes: ___, goesWellWith: ____, ...shown } = presentProduct(product);
  return {
    ...shown,
    ...(presentFacts(product, true) as Omit<StaffFacts, 'availability'>),
    availability: shown.availability,
    availabilityFlag: product.availability,
    pictureUpload: presentUpload(product.upload),
    photos: photosInOrder(readyPhotos(product), product.addedUploads).map((photo) =>
      presentStaffPhoto(photo, photoUrl),
    ),
    archivedAt: product.archivedAt?.toISOString() ?? null,
  };
}

function presentUpload(upload: StaffProductRow['upload']): Schema<'PictureUpload'> | null {
  if (upload?.state !== 'processing' && upload?.state !== 'failed') return null;
  const { id, state, failure, createdAt } = upload;
  return { id, state, message: failure ?? pictureMessages.processing, createdAt: createdAt.toISOString() };
}
