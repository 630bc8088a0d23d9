/** For tests/support/scenarios.ts: one success and every named error of staff's catalog operations. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { maxSizes } from '../../src/shared/sizeGroups';
import type { Scenarios } from './accountScenarios';
import { multipart } from './catalog';
import { withSku } from './products';
import type { Person, TestShop } from './shop';

export const pictureFile = (width = 40, height = 30): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .png()
    .toBuffer();
export const asFile = (content: Buffer | string) =>
  new Blob([typeof content === 'string' ? content : new Uint8Array(content)]);

/** A call with a form, as `body` and `headers`. */
export async function form(fields: Record<string, string | Blob>) {
  const { payload, headers } = await multipart(fields);
  return { body: payload, headers };
}

export function catalogScenarios(open: () => TestShop): Scenarios {
  const admin = () => open().signIn({ role: 'ROLE_ADMIN' });
  const some = async () => ({ id: (await open().stock()).id });
  const none = () => ({ id: randomUUID() });
  const adjust = async (path: { id: string }, body: object) =>
    open().call('adjustStock', { as: await admin(), path, body: { reason: 'Counted', ...body } });
  const setSizeOf = async (path: { id: string }, sizeOf: string) =>
    open().call('setSizeOf', { as: await admin(), path, body: { sizeOf } });
  const upload = async (path: { id: string }, file: Blob) =>
    open().call('uploadPicture', { as: await admin(), path, ...(await form({ file })) });
  const add = async (path: { id: string }, file: Blob, as?: Person) =>
    open().call('addPhoto', { as: as ?? (await admin()), path, ...(await form({ file, alt: 'The jar' })) });
  /** A product with one added photo. */
  const withPhoto = async () => {
    const [{ id }, file] = [await some(), asFile(await pictureFile())];
    const photos = (await add({ id }, file)).data.product.photos;
    return { id, file, photoId: photos[0]?.id ?? '' };
  };
  const arrange = async (path: { id: string }, photos: { id: string; alt?: string }[]) =>
    open().call('arrangePhotos', { as: await admin(), path, body: { photos } });
  const change = async (ids: string[]) =>
    open().call('changeProducts', { as: await admin(), body: { ids, change: 'archive' } });
  const importCsv = async (csv: string) =>
    open().call('importProducts', { as: await admin(), ...(await form({ file: asFile(csv), apply: 'true' })) });
  /** A deleted product whose SKU is another product's by now. */
  const replaced = async (sku: string) => {
    const { id } = await withSku(open(), sku, new Date());
    await withSku(open(), sku);
    return { id };
  };
  const columns = 'name,description,price,availability,quantity,category';

  return {
    listCategoriesForStaff: { success: async () => open().call('listCategoriesForStaff', { as: await admin() }) },
    deleteCategory: {
      success: async () => open().call('deleteCategory', { as: await admin(), path: await open().category() }),
      category_not_found: async () => open().call('deleteCategory', { as: await admin(), path: none() }),
      category_in_use: async () => {
        const { categoryId: id } = await open().stock();
        return open().call('deleteCategory', { as: await admin(), path: { id } });
      },
    },
    listProductsForStaff: { success: async () => open().call('listProductsForStaff', { as: await admin() }) },
    listProductFilters: { success: async () => open().call('listProductFilters', { as: await admin() }) },
    exportProducts: { success: async () => open().call('exportProducts', { as: await admin() }) },
    importProducts: {
      success: async () => {
        const { name } = await open().category();
        return importCsv(`${columns}\nCumin,Whole,4.35,true,5,${name}\n`);
      },
      invalid_csv: () => importCsv('what,else\n1,2\n'),
      import_repeated: async () => {
        const csv = `${columns}\nCumin,Whole,4.35,true,5,${(await open().category()).name}\n`;
        await importCsv(csv);
        return importCsv(csv);
      },
      import_refused: () => importCsv(`${columns}\nCumin,Whole,four,true,5,nowhere\n`),
    },
    changeProducts: {
      success: async () => change([(await some()).id]),
      product_not_found: async () => change([(await some()).id, randomUUID()]),
      sku_taken: async () => {
        const { id } = await replaced('BULK');
        return open().call('changeProducts', { as: await admin(), body: { ids: [id], change: 'restore' } });
      },
    },
    getProductForStaff: {
      success: async () => open().call('getProductForStaff', { as: await admin(), path: await some() }),
      product_not_found: async () => open().call('getProductForStaff', { as: await admin(), path: none() }),
    },
    archiveProduct: {
      success: async () => open().call('archiveProduct', { as: await admin(), path: await some() }),
      product_not_found: async () => open().call('archiveProduct', { as: await admin(), path: none() }),
    },
    restoreProduct: {
      success: async () => open().call('restoreProduct', { as: await admin(), path: await some() }),
      product_not_found: async () => open().call('restoreProduct', { as: await admin(), path: none() }),
      sku_taken: async () => open().call('restoreProduct', { as: await admin(), path: await replaced('ONE') }),
    },
    setSizeOf: {
      success: async () => setSizeOf(await some(), (await some()).id),
      product_not_found: async () => setSizeOf(await some(), randomUUID()),
      already_a_size: async () => {
        const [path, former, next] = [await some(), await some(), await some()];
        await setSizeOf(path, former.id);
        return setSizeOf(path, next.id);
      },
      too_many_sizes: async () => {
        const sizeGroup = randomUUID();
        const sizes = [];
        for (let made = 0; made < maxSizes; made++) sizes.push(await open().stock({ sizeGroup }));
        return setSizeOf(await some(), sizes[0]?.id ?? '');
      },
    },
    uploadPicture: {
      success: async () => upload(await some(), asFile(await pictureFile())),
      product_not_found: async () => upload(none(), asFile(await pictureFile())),
      not_a_picture: async () => upload(await some(), asFile('<svg/>')),
      picture_too_large: async () => upload(await some(), asFile(await pictureFile(20_000, 1))),
    },
    removePicture: {
      success: async () => open().call('removePicture', { as: await admin(), path: await some() }),
      product_not_found: async () => open().call('removePicture', { as: await admin(), path: none() }),
    },
    addPhoto: {
      success: async () => add(await some(), asFile(await pictureFile())),
      product_not_found: async () => add(none(), asFile(await pictureFile())),
      not_a_picture: async () => add(await some(), asFile('<svg/>')),
      picture_too_large: async () => add(await some(), asFile(await pictureFile(20_000, 1))),
      photo_taken: async () => {
        const { id, file } = await withPhoto();
        return add({ id }, file);
      },
      too_many_photos: async () => {
        const [path, as] = [await some(), await admin()];
        for (let width = 1; width <= 10; width += 1) await add(path, asFile(await pictureFile(width)), as);
        return add(path, asFile(await pictureFile()), as);
      },
    },
    arrangePhotos: {
      success: async () => {
        const { id, photoId } = await withPhoto();
        return arrange({ id }, [{ id: photoId, alt: 'The label' }]);
      },
      product_not_found: async () => arrange(none(), []),
      photos_changed: async () => arrange({ id: (await withPhoto()).id }, []),
    },
    removePhoto: {
      success: async () => open().call('removePhoto', { as: await admin(), path: await withPhoto() }),
      product_not_found: async () =>
        open().call('removePhoto', { as: await admin(), path: { ...(await withPhoto()), ...none() } }),
      photo_not_found: async () =>
        open().call('removePhoto', { as: await admin(), path: { ...(await withPhoto()), photoId: 'ab'.repeat(16) } }),
    },
    listStockMovements: {
      success: async () => open().call('listStockMovements', { as: await admin(), path: await some() }),
      product_not_found: async () => open().call('listStockMovements', { as: await admin(), path: none() }),
    },
    adjustStock: {
      success: async () => adjust(await some(), { change: 5 }),
      product_not_found: async () => adjust(none(), { change: 5 }),
      not_enough_stock: async () => adjust(await some(), { change: -11 }),
      too_many_units: async () => adjust(await some(), { change: 1_000_000 }),
    },
  };
}
