/** One success and every error of reading the catalog and of its forms, for the contract test. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { products } from '../../src/server/db/schema/tables';
import { maxSizes } from '../../src/shared/sizeGroups';
import type { Scenarios } from './accountScenarios';
import { asFile, form, pictureFile } from './catalogScenarios';
import { multipart } from './multipart';
import { withSku } from './products';
import type { TestShop } from './shop';

const cumin = { name: 'Cumin', description: 'Whole', price: '4.35', availability: 'true', quantity: '5' };
const newSize = () => ({ unitSize: '50 g', price: '2.00', quantity: 1 });
const productForm = (category: string, fields: object = {}) => multipart({ ...cumin, category, ...fields });

export function catalogFormScenarios(shop: () => TestShop): Scenarios {
  const admin = () => shop().signIn({ role: 'ROLE_ADMIN' });
  async function createWith(file: Blob) {
    const { id: category } = await shop().category();
    const path = { categoryId: category };
    return shop().call('createProduct', { as: await admin(), path, ...(await form({ ...cumin, category, file })) });
  }
  async function updateWith(file: Blob) {
    const { id, categoryId: category } = await shop().stock();
    return shop().call('updateProduct', {
      as: await admin(),
      path: { id },
      ...(await form({ ...cumin, category, file })),
    });
  }

  return {
    listCategories: { success: () => shop().call('listCategories', { query: { size: 100 } }) },
    createCategory: {
      success: async () =>
        shop().call('createCategory', { as: await admin(), body: { name: 'teas', description: 'Teas' } }),
      category_name_taken: async () => {
        const { name } = await shop().category();
        return shop().call('createCategory', { as: await admin(), body: { name, description: 'Again' } });
      },
      category_not_found: async () =>
        shop().call('createCategory', {
          as: await admin(),
          body: { id: randomUUID(), name: 'never-deleted', description: 'x' },
        }),
    },
    getCategory: {
      success: async () =>
        shop().call('getCategory', { as: await admin(), path: { id: (await shop().category()).id } }),
      category_not_found: async () => shop().call('getCategory', { as: await admin(), path: { id: randomUUID() } }),
    },
    updateCategory: {
      success: async () => {
        const { id, name } = await shop().category();
        return shop().call('updateCategory', {
          as: await admin(),
          path: { id },
          body: { name, description: 'Other words' },
        });
      },
      category_not_found: async () =>
        shop().call('updateCategory', {
          as: await admin(),
          path: { id: randomUUID() },
          body: { name: 'none', description: 'x' },
        }),
      category_name_taken: async () => {
        const [{ id }, { name }] = [await shop().category(), await shop().category()];
        return shop().call('updateCategory', { as: await admin(), path: { id }, body: { name, description: 'x' } });
      },
    },
    listProducts: { success: () => shop().call('listProducts', { query: { page: 0, size: 5 } }) },
    getProduct: {
      success: async () => shop().call('getProduct', { path: { id: (await shop().stock()).id } }),
      product_not_found: () => shop().call('getProduct', { path: { id: randomUUID() } }),
    },
    getProductBySlug: {
      success: async () => {
        const { id } = await shop().category();
        await shop().call('createProduct', {
          as: await admin(),
          path: { categoryId: id },
          ...productForm(id, { slug: 'read-me' }),
        });
        return shop().call('getProductBySlug', { path: { slug: 'read-me' } });
      },
      product_not_found: () => shop().call('getProductBySlug', { path: { slug: 'no-such-product' } }),
    },
    listProductsByCategory: {
      success: async () =>
        shop().call('listProductsByCategory', { path: { categoryName: (await shop().category()).name } }),
      category_not_found: () => shop().call('listProductsByCategory', { path: { categoryName: 'none' } }),
    },
    createProduct: {
      success: async () => {
        const { id } = await shop().category();
        return shop().call('createProduct', { as: await admin(), path: { categoryId: id }, ...productForm(id) });
      },
      category_not_found: async () => {
        const categoryId = randomUUID();
        return shop().call('createProduct', { as: await admin(), path: { categoryId }, ...productForm(categoryId) });
      },
      slug_taken: async () => {
        const { id } = await shop().category();
        const create = async () =>
          shop().call('createProduct', {
            as: await admin(),
            path: { categoryId: id },
            ...productForm(id, { slug: 'taken' }),
          });
        await create();
        return create();
      },
      sku_taken: async () => {
        const { categoryId } = await withSku(shop(), 'TAKEN-1');
        return shop().call('createProduct', {
          as: await admin(),
          path: { categoryId },
          ...productForm(categoryId, { sku: 'taken-1' }),
        });
      },
      too_many_sizes: async () => {
        const { id: categoryId } = await shop().category();
        const fields = { sizes: JSON.stringify(Array.from({ length: maxSizes }, newSize)) };
        return shop().call('createProduct', {
          as: await admin(),
          path: { categoryId },
          ...productForm(categoryId, fields),
        });
      },
      not_a_picture: async () => createWith(asFile('<svg/>')),
      picture_too_large: async () => createWith(asFile(await pictureFile(20_000, 1))),
    },
    updateProduct: {
      success: async () => {
        const { id, categoryId } = await shop().stock();
        return shop().call('updateProduct', { as: await admin(), path: { id }, ...productForm(categoryId) });
      },
      product_not_found: async () =>
        shop().call('updateProduct', {
          as: await admin(),
          path: { id: randomUUID() },
          ...productForm((await shop().category()).id),
        }),
      category_not_found: async () =>
        shop().call('updateProduct', {
          as: await admin(),
          path: { id: (await shop().stock()).id },
          ...productForm(randomUUID()),
        }),
      product_changed: async () => {
        const { id, categoryId } = await shop().stock();
        await shop().db.update(products).set({ priceCents: 999 }).where(eq(products.id, id));
        return shop().call('updateProduct', {
          as: await admin(),
          path: { id },
          ...productForm(categoryId, { version: '1', quantityWas: '10' }),
        });
      },
      not_enough_stock: async () => {
        const { id, categoryId } = await shop().stock({ quantity: 3 });
        const fields = {
          name: 'Black pepper',
          description: 'Whole berries.',
          price: '4.50',
          quantity: '0',
          quantityWas: '8',
          version: '1',
        };
        return shop().call('updateProduct', { as: await admin(), path: { id }, ...productForm(categoryId, fields) });
      },
      too_many_units: async () => {
        const { id, categoryId } = await shop().stock({ quantity: 3 });
        const fields = { quantity: '1000000', quantityWas: '0' };
        return shop().call('updateProduct', { as: await admin(), path: { id }, ...productForm(categoryId, fields) });
      },
      slug_taken: async () => {
        const { id: category } = await shop().category();
        const as = await admin();
        await shop().call('createProduct', {
          as,
          path: { categoryId: category },
          ...productForm(category, { slug: 'taken-before' }),
        });
        const { id } = await shop().stock();
        return shop().call('updateProduct', { as, path: { id }, ...productForm(category, { slug: 'taken-before' }) });
      },
      too_many_sizes: async () => {
        const { id, categoryId } = await shop().stock();
        const fields = { sizes: JSON.stringify(Array.from({ length: maxSizes }, newSize)) };
        return shop().call('updateProduct', { as: await admin(), path: { id }, ...productForm(categoryId, fields) });
      },
      sku_taken: async () => {
        await withSku(shop(), 'TAKEN-2');
        const { id, categoryId } = await shop().stock();
        return shop().call('updateProduct', {
          as: await admin(),
          path: { id },
          ...productForm(categoryId, { sku: 'TAKEN-2' }),
        });
      },
      not_a_picture: async () => updateWith(asFile('<svg/>')),
      picture_too_large: async () => updateWith(asFile(await pictureFile(20_000, 1))),
    },
    getCatalogChanges: { success: () => shop().call('getCatalogChanges') },
    searchProducts: { success: () => shop().call('searchProducts', { query: { q: 'pepper' } }) },
  };
}
