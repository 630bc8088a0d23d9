/** Staff's calls to import products from a file. */
import { randomUUID } from 'node:crypto';
import { asFile, form } from './catalogScenarios';
import type { Person, TestShop } from './shop';

export function importCalls(shop: TestShop, staff: Person) {
  const start = async (csv: string | Buffer, mapping?: object) => {
    const fields = {
      file: asFile(csv),
      fileName: 'products.csv',
      ...(mapping && { mapping: JSON.stringify(mapping) }),
    };
    return shop.call('startImport', { as: staff, key: randomUUID(), ...(await form(fields)) });
  };
  const preview = async (csv: string | Buffer, mapping?: object) => (await start(csv, mapping)).data.import;
  const readImport = async (id: string) => (await shop.call('getImport', { as: staff, path: { id } })).data.import;
  const rowsOf = async (id: string, query: object = {}) =>
    (await shop.call('listImportRows', { as: staff, path: { id }, query: { size: 100, ...query } })).data.rows.content;
  const run = async (id: string, body: object = {}) => {
    const call = await shop.call('runImport', { as: staff, path: { id }, body, key: randomUUID() });
    await shop.jobs.runImports();
    return call;
  };
  const undo = async (id: string) => {
    const call = await shop.call('undoImport', { as: staff, path: { id }, body: {}, key: randomUUID() });
    await shop.jobs.runImports();
    return call;
  };
  return {
    start,
    preview,
    readImport,
    rowsOf,
    run,
    undo,
    /** Previews and imports a file. */
    imported: async (csv: string | Buffer, mapping?: object) => {
      const { id } = await preview(csv, mapping);
      await run(id);
      return readImport(id);
    },
    /** The products of an import's rows, in the file's order. */
    productsOf: async (id: string) => {
      const rows = await rowsOf(id);
      return Promise.all(
        rows.map(async ({ productId }) => {
          const path = { id: productId ?? '' };
          return (await shop.call('getProductForStaff', { as: staff, path })).data.product;
        }),
      );
    },
    /** The whole catalog as the shop's own file. */
    exported: async (query: Record<string, string> = {}) =>
      (
        await shop.app.inject({
          url: '/api/admin/products/export',
          query,
          headers: { authorization: `Bearer ${staff.token}` },
        })
      ).body,
  };
}
