import type { Schema } from '../../shared/contract';

type Product = Schema<'Product'>;
type Photo = Schema<'Photo'>;

/** What a photo doesn't share with the product's first one, which is its picture. */
type StoredPhoto = Pick<Photo, 'id' | 'placeholder'> & Partial<Pick<Photo, 'alt' | 'widths'>>;

/** A product in the device's database. Rows of earlier builds have `photos`. */
export type StoredProduct = Product & { otherPhotos?: StoredPhoto[] };

/** Leaves out of a product's photos what `asProduct` derives. */
export function asStored(whole: Product): StoredProduct {
  const { photos, ...product } = whole;
  if (!photos || !product.picture) return whole;
  const widths = String(product.picture.widths);
  const otherPhotos = photos.slice(1).map((photo): StoredPhoto => ({
    id: photo.id,
    placeholder: photo.placeholder,
    ...(photo.alt !== product.name && { alt: photo.alt }),
    ...(String(photo.widths) !== widths && { widths: photo.widths }),
  }));
  return { ...product, otherPhotos };
}

/** @returns the product as the server sent it */
export function asProduct({ otherPhotos, ...product }: StoredProduct): Product {
  const { name, picture, imageUrl } = product;
  if (!otherPhotos || !picture || imageUrl === null) return product;
  const { keptBytes: _, ...first } = picture;
  const firstId = picture.base.slice(picture.base.lastIndexOf('/') + 1);
  const photos: Photo[] = otherPhotos.map((photo) => ({
    ...photo,
    base: picture.base.replace(firstId, photo.id),
    imageUrl: imageUrl.replace(firstId, photo.id),
    widths: photo.widths ?? picture.widths,
    alt: photo.alt ?? name,
  }));
  return { ...product, photos: [{ ...first, id: firstId, imageUrl }, ...photos] };
}
