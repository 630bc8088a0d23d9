import { sendExport } from '../audit/exports';
import type { QueryOf, Schema } from '../../shared/contract';
import { taxMessages as messages } from '../../shared/tax';
import { fromRatePpm } from '../../shared/total';
import { withLongTimeout, type Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { findPeriod } from '../http/core/shopDays';
import { presentPage } from '../http/contract/paging';
import type { SettingsCache } from '../settings/service';
import { collectedColumns, findCollected, presentCollected } from './collected';
import { rateColumns, rateLines } from './rateCsv';
import { findRates, type TaxRateRow } from './repository';
import { changeTaxRate, importTaxRates, listTaxRates } from './service';

const allStates = { page: 0, size: 100 };

export function taxRoutes(api: ContractApi, { settings }: { settings: SettingsCache }): void {
  api.on('listTaxRates', async ({ db, query: { page = 0, size = 10 } }) => {
    const { rows, totalElements } = await listTaxRates(db, { page, size });
    const taxRates = presentPage(rows.map(present), totalElements, { page, size });
    return { message: messages.listTaxRates.success, data: { taxRates } };
  });
  api.on('setTaxRate', async ({ tx, params: { state }, body, by, now }) => {
    await changeTaxRate(tx, { state, rate: body }, { shop: await settings.get(), by, now });
    return { message: messages.setTaxRate.success, data: { taxRate: { state, ...body } } };
  });
  api.on('removeTaxRate', async ({ tx, params: { state }, by, now }) => {
    await changeTaxRate(tx, { state, rate: null }, { shop: await settings.get(), by, now });
    return { message: messages.removeTaxRate.success, data: {} };
  });
  api.serve('exportTaxRates', async (call) => {
    const shop = await settings.get();
    const lines = rateLines(await findRates(call.db, allStates), shop);
    const ids = lines.map(({ id }) => id);
    const { timeZone } = shop;
    const file = { name: 'sales-tax', loggedAs: 'tax_rates' } as const;
    return sendExport(call, file, { timeZone, columns: rateColumns, ids, read: async () => lines });
  });
  api.on('importTaxRates', async ({ tx, body, by, now }) => {
    const changed = await importTaxRates(tx, body.file, { shop: await settings.get(), by, now });
    return { message: messages.saved(changed), data: { changed } };
  });

  const readCollected = async (db: Db, days: QueryOf<'getTaxCollected'>) => {
    const period = await findPeriod(db, days, (await settings.get()).timeZone);
    return withLongTimeout(db, (tx) => findCollected(tx, period));
  };
  api.on('getTaxCollected', async ({ db, query }) => ({
    message: messages.getTaxCollected.success,
    data: { collected: (await readCollected(db, query)).map(presentCollected) },
  }));
  api.serve('exportTaxCollected', async ({ query, ...call }) => {
    const lines = (await readCollected(call.db, query)).map((row) => ({ ...row, id: row.state }));
    const ids = lines.map(({ id }) => id);
    const { timeZone } = await settings.get();
    const file = { name: 'sales-tax-collected', loggedAs: 'tax_collected' } as const;
    return sendExport(call, file, { timeZone, columns: collectedColumns, ids, read: async () => lines });
  });
}

const present = ({ state, ratePpm, taxesDelivery }: TaxRateRow): Schema<'TaxRate'> => ({
  state,
  rate: fromRatePpm(ratePpm),
  taxesDelivery,
});
