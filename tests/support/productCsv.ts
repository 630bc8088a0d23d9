/** Products as a CSV file: staff's calls. */
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { asFile, form } from './catalogScenarios';
import type { Person, TestShop } from './shop';

export const rowsOf = (csv: string) => parse(csv, { bom: true, columns: true }) as unknown as Record<string, string>[];

export const csvCalls = (shop: TestShop, staff: Person) => ({
  exported: (query: Record<string, string>) =>
    shop.app.inject({
      url: '/api/admin/products/export',
      query,
      headers: { authorization: `Bearer ${staff.token}` },
    }),
  importCsv: async (csv: string | Buffer, apply: boolean, key: string = randomUUID()) =>
    shop.call('importProducts', { as: staff, key, ...(await form({ file: asFile(csv), apply: String(apply) })) }),
  forStaff: async (id: string) => (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product,
});
