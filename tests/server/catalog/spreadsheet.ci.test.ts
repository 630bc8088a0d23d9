/** The shop's own export, saved by a spreadsheet and imported again. The files: tests/data/README.md */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asFile, form } from '../../support/catalogScenarios';
import { hardProducts } from '../../support/hardProducts';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  const { id: categoryId } = await shop.category({ name: 'round-trip' });
  for (const product of hardProducts) await shop.stock({ ...product, categoryId });
});
afterAll(() => shop.close());

async function exported(): Promise<string> {
  const headers = { authorization: `Bearer ${staff.token}` };
  const { body } = await shop.app.inject({
    url: '/api/admin/products/export',
    query: { category: 'round-trip' },
    headers,
  });
  return body;
}

const importCsv = async (csv: string | Buffer) =>
  shop.call('importProducts', {
    as: staff,
    key: randomUUID(),
    ...(await form({ file: asFile(csv), apply: 'true' })),
  });

const stored = async () =>
  (await shop.pool.query('select * from products where id = any($1) order by id', [hardProducts.map(({ id }) => id)]))
    .rows;
const entries = async () =>
  (
    await shop.pool.query("select id from audit_log where action like 'product%import%' and actor_id = $1", [
      staff.userId,
    ])
  ).rows;

test.each(['products.calc.csv', 'products.calc-quoted.csv', 'products.calc-xlsx.csv', 'products.calc-ods.csv'])(
  'an export that LibreOffice Calc saved as %s changes nothing when it is imported',
  async (name) => {
    const before = await stored();
    expect(before).toHaveLength(200);
    const file = await readFile(new URL(`../../data/${name}`, import.meta.url));
    const { status, data } = await importCsv(file);
    expect(status).toBe(200);
    expect(data.productImport.rows.filter(({ action }) => action !== 'nothing')).toEqual([]);
    expect(data.productImport).toMatchObject({ applied: true, unchanged: 200 });
    expect(await stored()).toEqual(before);
    expect(await entries()).toEqual([]);
  },
);

test('an export as it was downloaded changes nothing when it is imported', async () => {
  const csv = await exported();
  const { data } = await importCsv(csv);
  expect(data.productImport).toMatchObject({ changed: 0, unchanged: 200, refused: 0 });
});
