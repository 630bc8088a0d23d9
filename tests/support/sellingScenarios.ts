/** One success and every error of the operations that set what orders cost, for the contract test. */
import { randomUUID } from 'node:crypto';
import type { Answer } from './caller';
import type { Scenarios } from './accountScenarios';
import { asFile, form } from './catalogScenarios';
import type { TestShop } from './shop';

export function sellingScenarios(shop: () => TestShop): Scenarios {
  const admin = () => shop().signIn({ role: 'ROLE_ADMIN' });
  const none = () => ({ id: randomUUID() });
  const someForm = (name: string = randomUUID()) => ({ name, price: 5.95 });

  const create = async (body: object = someForm()) => shop().call('createDeliveryMethod', { as: await admin(), body });
  const update = async (path: { id: string }, body: object = someForm()) =>
    shop().call('updateDeliveryMethod', { as: await admin(), path, body });
  const archive = async (path: { id: string }) => shop().call('archiveDeliveryMethod', { as: await admin(), path });
  const idOf = ({ data }: Answer<'createDeliveryMethod'>) => ({ id: data.deliveryMethod.id });
  /** Creates as many methods as allowed, and removes them after the call. */
  const whileFull = async <T>(call: () => Promise<T>): Promise<T> => {
    await shop().pool.query(
      `insert into delivery_methods (id, name, price_cents, position, created_at)
       select gen_random_uuid(), 'Full ' || n, 1, n, now() from generate_series(1, 50) as n`,
    );
    try {
      return await call();
    } finally {
      await shop().pool.query(`delete from delivery_methods where name like 'Full %'`);
    }
  };

  const path = { state: 'OH' };
  const importCsv = async (csv: string) =>
    shop().call('importTaxRates', { as: await admin(), ...(await form({ file: asFile(csv) })) });

  return {
    listDeliveryMethods: { success: async () => shop().call('listDeliveryMethods', { as: await admin() }) },
    createDeliveryMethod: {
      success: () => create(),
      method_name_taken: async () => {
        const name = randomUUID();
        await create(someForm(name));
        return create(someForm(name.toUpperCase()));
      },
      too_many_methods: () => whileFull(() => create()),
    },
    updateDeliveryMethod: {
      success: async () => update(idOf(await create())),
      method_not_found: () => update(none()),
      method_name_taken: async () => {
        const name = randomUUID();
        await create(someForm(name));
        return update(idOf(await create()), someForm(name));
      },
      too_many_methods: async () => {
        const archived = idOf(await create());
        await archive(archived);
        return whileFull(() => update(archived));
      },
    },
    archiveDeliveryMethod: {
      success: async () => archive(idOf(await create())),
      method_not_found: () => archive(none()),
    },
    listTaxRates: { success: async () => shop().call('listTaxRates', { as: await admin() }) },
    exportTaxRates: { success: async () => shop().call('exportTaxRates', { as: await admin() }) },
    importTaxRates: {
      success: () => importCsv('state,rate,taxesDelivery\nGA,4,true\n'),
      invalid_csv: () => importCsv('what,else\n1,2\n'),
      import_refused: () => importCsv('state,rate\nGuam,4\n'),
    },
    setTaxRate: {
      success: async () => shop().call('setTaxRate', { as: await admin(), path, body: { rate: 5.75 } }),
    },
    removeTaxRate: { success: async () => shop().call('removeTaxRate', { as: await admin(), path }) },
    getTaxCollected: { success: async () => shop().call('getTaxCollected', { as: await admin() }) },
    exportTaxCollected: { success: async () => shop().call('exportTaxCollected', { as: await admin() }) },
  };
}
