import { sendExport } from '../audit/exports';
import { catalogStaffMessages as messages, productsChanged } from '../../shared/catalogStaff';
import { categoriesList } from '../../shared/categoriesList';
import { productsList } from '../../shared/productsList';
import { type Connection, withLongTimeout } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { fileColumns } from '../http/csv/csvDownload';
import { presentPage } from '../http/contract/paging';
import { presentStaffCategory, presentStaffProduct, presentStaffSizes } from './present';
import { productColumns } from './productCsv';
import type { AcceptPicture } from './productForms';
import { importProducts } from './productImport';
import { findSizesOf, setSizeOf } from './sizes';
import { deleteCategory, listCategoriesForStaff, type StaffCategoryRow } from './staffCategories';
import { changeProducts, getProductForStaff, listProductsForStaff } from './staffProducts';
import {
  findProductFilters,
  findStaffProductIds,
  findStaffProductsById,
  type StaffProductRow,
} from './staffRepository';

export type StaffParts = {
  acceptPicture: AcceptPicture;
  settings: { get: () => Promise<{ lowStockThreshold: number; timeZone: string }> };
};

/** The back office of the catalog, except for the forms in routes.ts. */
export function staffRoutes(api: ContractApi, { acceptPicture, settings }: StaffParts): void {
  api.on('listCategoriesForStaff', async ({ db, query: { page = 0, size = 10, ...wanted } }) => {
    const { rows, totalElements } = await listCategoriesForStaff(db, wanted, { page, size });
    const categories = presentPage(rows.map(presentStaffCategory), totalElements, { page, size });
    return { message: messages.listCategoriesForStaff.success, data: { categories } };
  });
  api.serve('exportCategories', async ({ query, ...call }) => {
    const { rows } = await listCategoriesForStaff(call.db, query, { page: 0, size: mostCategories });
    const ids = rows.map(({ id }) => id);
    const { timeZone } = await settings.get();
    const file = { timeZone, columns: categoryColumns, ids, read: async () => rows };
    return sendExport(call, categoriesList.file, file);
  });
  api.on('deleteCategory', async ({ tx, params, by, now }) => {
    await deleteCategory(tx, params.id, by, now);
    return { message: messages.deleteCategory.success, data: {} };
  });

  api.on('listProductsForStaff', async ({ db, query: { page = 0, size = 10, ...wanted } }) => {
    const { lowStockThreshold } = await settings.get();
    const { rows, totalElements } = await listProductsForStaff(db, wanted, lowStockThreshold, { page, size });
    const products = presentPage(rows.map(presentStaffProduct), totalElements, { page, size });
    return { message: messages.listProductsForStaff.success, data: { products, lowStockThreshold } };
  });
  api.on('listProductFilters', async ({ db, query: { archived = 'no' } }) => ({
    message: messages.listProductFilters.success,
    data: await findProductFilters(db, archived),
  }));
  api.on('getProductForStaff', async ({ db, params }) => ({
    message: messages.getProductForStaff.success,
    data: await readWithSizes(db, params.id),
  }));
  api.on('setSizeOf', async ({ tx, params: { id }, body, by, now }) => {
    await setSizeOf(tx, id, body, by, now);
    return { message: messages.setSizeOf.success, data: await readWithSizes(tx, id) };
  });
  api.on('archiveProduct', async ({ tx, params: { id }, by, now }) => {
    await changeProducts(tx, [id], 'archive', by, now);
    return { message: messages.archiveProduct.success, data: presented(await getProductForStaff(tx, id)) };
  });
  api.on('restoreProduct', async ({ tx, params: { id }, by, now }) => {
    await changeProducts(tx, [id], 'restore', by, now);
    return { message: messages.restoreProduct.success, data: presented(await getProductForStaff(tx, id)) };
  });
  api.on('changeProducts', async ({ tx, body: { ids, change }, by, now }) => {
    const changedIds = await changeProducts(tx, [...new Set(ids.map((id) => id.toLowerCase()))], change, by, now);
    return { message: productsChanged(change, changedIds.length), data: { changedIds } };
  });

  api.serve('exportProducts', async ({ query, ...call }) => {
    const { lowStockThreshold, timeZone } = await settings.get();
    const ids = await withLongTimeout(call.db, (tx) => findStaffProductIds(tx, query, lowStockThreshold));
    const read = (some: string[]) => findStaffProductsById(call.db, some);
    return sendExport(call, productsList.file, { timeZone, columns: productColumns, ids, read });
  });
  api.on('importProducts', async ({ tx, body, session, by, now }) => {
    const timeZone = async () => (await settings.get()).timeZone;
    const sender = { byUserId: session.userId, by, now, acceptPicture, timeZone };
    const productImport = await importProducts(tx, body, sender);
    const { success } = productImport.applied ? messages.importProducts : messages.tryImport;
    return { message: success, data: { productImport } };
  });
}

/** The maximum in an export; a shop has a few dozen. */
const mostCategories = 10_000;
const categoryColumns = fileColumns<typeof categoriesList, StaffCategoryRow>(categoriesList, {
  id: ({ id }) => id,
  name: ({ name }) => name,
  title: ({ title }) => title,
  description: ({ description }) => description,
  products: ({ products }) => products,
});

async function readWithSizes(connection: Connection, id: string) {
  const product = await getProductForStaff(connection, id);
  const sizes = presentStaffSizes(await findSizesOf(connection, product));
  return { product: { ...presentStaffProduct(product), ...(sizes.length > 0 && { sizes }) } };
}

const presented = (product: StaffProductRow) => ({ product: presentStaffProduct(product) });
