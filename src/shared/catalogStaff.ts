/** Limits and messages of the catalog for staff. Rule: docs/rules/catalog.md, Messages */
import { catalogMessages } from './catalog';
import type { Schema } from './contract';
import { countOf, formatCount } from './counts';
import { pictureMessages } from './pictureUploads';
import { maxSizes } from './sizeGroups';

/** Lengths in characters, quantities in units. The contract has the same limits. */
export const catalogLimits = {
  categoryTitle: 80,
  categoryDescription: 1000,
  productName: 120,
  productDescription: 5000,
  quantity: 1_000_000,
} as const;

/** The contract has the same limits. */
export const staffLimits = {
  csvBytes: 2 * 1024 * 1024,
  csvRows: 1000,
  maxBulkProducts: 100,
  stockReason: 200,
} as const;

export const stockMessages = {
  tooFew: "You can't remove more units than you have in stock",
  tooMany: 'Stock can be up to 1,000,000 units',
  /** The reason of a change in the product form, if staff gave none. */
  edited: 'Edited product',
} as const;

/** Why the stock of a size changes, the usual reason first. */
export const stockReasons = ['Counted', 'Received', 'Damaged', 'Returned', 'Used in the shop'] as const;

export const sizesMessages = {
  one: 'Add a size if you sell this product in several. Each has its own price and stock.',
  hint: 'Compare-at shows the old price struck through. Weight is when packed, for shipping.',
  removed: 'Deleted when you save',
  /** @param sizes '8 oz' */
  changedMeanwhile: (sizes: readonly string[]) =>
    `Someone changed ${sizes.join(' and ')} while you were editing, so nothing is saved yet. Check the highlighted fields, then save again.`,
  /** @param count the sizes that were deleted */
  deleted: (count: number) => `${countOf(count, 'size')} deleted`,
} as const;

export const importMessages = {
  /** @param when '3:14 PM' */
  repeated: (when: string) => `This file was imported at ${when}. Nothing was changed.`,
  refused: 'Nothing was imported. Fix the rows with errors and try again.',
  noRows: 'This file has no rows',
  tooManyRows: (most: number) => `Import up to ${most.toLocaleString('en-US')} rows at a time`,
  tooManyBytes: 'CSV files can be up to 2 MB',
  notText: "This file isn't UTF-8 text. Save it as CSV (UTF-8) and try again.",
  notCsv: "This file isn't a valid CSV",
  notCsvAt: (line: number) => `This file isn't a valid CSV. Check line ${line}`,
  unknownColumn: (name: string, cell: string) =>
    `We don't recognize the column "${name}" in cell ${cell}. Export a CSV to see the column names.`,
  columnTwice: (name: string, first: string, second: string) =>
    `The column "${name}" appears twice, in cells ${first} and ${second}. Delete one of them.`,
  noColumn: (cell: string) => `Cell ${cell} is in a column without a name. Name the column or clear the cell.`,
  missingColumn: 'Add the column',
  twice: 'This product is in the file twice',
  noProduct: "This product doesn't exist",
  noCategory: "This category doesn't exist",
  changed: 'This product changed after you exported the file',
  quantityWas: "Add the column quantityWas, so that sales made since the export aren't undone",
  badId: 'Leave this blank for a new product',
  archived: "Imports can't delete or restore products. Clear this cell and use the product list instead.",
} as const;

/** @returns why a category cannot be deleted */
export function categoryInUse({ products, archivedProducts }: { products: number; archivedProducts: number }): string {
  const all = products + archivedProducts;
  const count = countOf(all, 'product');
  if (archivedProducts === 0) return `This category has ${count}. Move or delete them first.`;
  return `This category has ${count} (${formatCount(archivedProducts)} deleted). Move them first.`;
}

const photoRemoved = { success: 'Photo removed', failure: "Couldn't remove the photo. Try again." } as const;

export const catalogStaffMessages = {
  listCategoriesForStaff: catalogMessages.listCategories,
  getCategory: { success: 'Category found', failure: catalogMessages.listCategories.failure },
  createCategory: { success: 'Category created', failure: 'Failed to create category' },
  updateCategory: { success: 'Category updated', failure: 'Failed to update category' },
  deleteCategory: { success: 'Category deleted', failure: "Couldn't delete the category. Try again." },
  listProductsForStaff: catalogMessages.listProducts,
  listProductFilters: { success: 'Suppliers and tags found', failure: "Couldn't load the suppliers and tags" },
  getProductForStaff: catalogMessages.getProduct,
  createProduct: { success: 'Product created', failure: 'Failed to create product' },
  updateProduct: { success: 'Product updated', failure: 'Failed to update product' },
  archiveProduct: { success: 'Product deleted', failure: "Couldn't delete the product. Try again." },
  restoreProduct: { success: 'Product restored', failure: "Couldn't restore the product. Try again." },
  changeProducts: { failure: "Couldn't update the products. Try again." },
  setSizeOf: { success: 'Sizes updated', failure: "Couldn't update the sizes. Try again." },
  uploadPicture: { success: pictureMessages.processing, failure: "Couldn't upload the photo. Try again." },
  removePicture: photoRemoved,
  addPhoto: { success: pictureMessages.processing, failure: "Couldn't add the photo. Try again." },
  arrangePhotos: { success: 'Photos updated', failure: "Couldn't update the photos. Try again." },
  removePhoto: photoRemoved,
  listStockMovements: { success: 'Stock movements found', failure: "Couldn't load the stock history" },
  adjustStock: { success: 'Stock updated', failure: "Couldn't update stock. Try again." },
  exportProducts: { failure: "Couldn't export products. Try again." },
  importProducts: { success: 'Products imported', failure: "Couldn't import products. Try again." },
  deleteKeeps: "Customers can't buy these anymore. Past orders don't change, and you can restore them.",
  noCategories: 'No categories found.',
  categoryTitleHint: 'Title customers see. Leave blank to use the name.',
  categoryNameHint: "Used in the page's URL. Lowercase letters, numbers, and hyphens only.",
  deleteCategoryText: 'You can only delete an empty category.',
  tryImport: { success: 'Nothing has changed yet' },
} as const;

/** Messages of the product form. */
export const productMessages = {
  skuTaken: 'Another product has this SKU',
  slugTaken: 'Another product has or had this address',
  sizeTwice: 'This size is in the form twice',
  noLongerASize: 'This is no longer a size of this product',
  onlyNewSizes: 'All sizes of a new product must be new',
  tooManySizes: `A product can have up to ${maxSizes} sizes, including deleted ones. Remove one first.`,
  alreadyASize: (name: string) => `${name} is already a size of other products`,
  changedMeanwhile: 'Someone changed this product while you were editing it',
  stockNow: ({ was, now }: { was: number; now: number }) =>
    `${formatCount(now)} in stock now, ${formatCount(was)} when you opened this form. We'll apply your change to the current number.`,
  /** @param changes what is not saved, such as 'price of 8 oz' */
  unsavedChanges: (changes: readonly string[]) =>
    changes.length === 0 ? 'Unsaved changes' : `${countOf(changes.length, 'unsaved change')}: ${changes.join(', ')}`,
  wholeChange: 'Enter a whole number, such as 5 or -2',
} as const;

export type ProductsChangeName = Schema<'ProductsChange'>['change'];

/** @returns what happened to categories: '2 categories deleted' */
export const categoriesChanged = (count: number, isTakenBack: boolean) =>
  `${countOf(count, 'category', 'categories')} ${isTakenBack ? 'restored' : 'deleted'}`;

/** @returns what happened to products: '3 products deleted' */
export function productsChanged(change: ProductsChangeName, count: number): string {
  return `${countOf(count, 'product')} ${done[change]}`;
}

const done: Record<ProductsChangeName, string> = {
  archive: 'deleted',
  restore: 'restored',
  makeAvailable: 'made available',
  makeNotAvailable: 'made unavailable',
};
