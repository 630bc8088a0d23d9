import { sendExport } from '../audit/exports';
import type { QueryOf, Schema } from '../../shared/contract';
import { discountForm } from '../../shared/discountsForms';
import { discountStatusLabels } from '../../shared/discounts';
import { discountsList } from '../../shared/discountsList';
import { discountStaffMessages as messages } from '../../shared/discountsStaff';
import { fromCents } from '../../shared/money';
import { meantPeriod } from '../../shared/reports';
import { withLongTimeout, type Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { fileColumns } from '../http/csv/csvDownload';
import { findPeriod, findToday } from '../http/core/shopDays';
import { presentPage } from '../http/contract/paging';
import { requestedDays } from '../reports/days';
import type { SettingsCache } from '../settings/service';
import type { DiscountList } from './repository';
import { createDiscount, listDiscounts, openExport, readDiscount, updateDiscount, type Discount } from './service';

export function discountRoutes(api: ContractApi, { settings }: { settings: SettingsCache }): void {
  const listOf = async (db: Db, query: QueryOf<'exportDiscounts'>, now: Date): Promise<DiscountList> => {
    const { timeZone } = await settings.get();
    const period = meantPeriod(query, undefined);
    const days = period ? requestedDays({ ...query, period }, await findToday(db, now, timeZone)) : {};
    return { ...query, period: await findPeriod(db, days, timeZone), now };
  };

  api.on('listDiscounts', async ({ db, query, now }) => {
    const { page = 0, size = 10 } = query;
    const list = await listOf(db, query, now);
    const { content, totalElements } = await withLongTimeout(db, (tx) => listDiscounts(tx, list, { page, size }));
    const discounts = presentPage(content.map(presentDiscount), totalElements, { page, size });
    return { message: messages.listDiscounts.success, data: { discounts } };
  });
  api.serve('exportDiscounts', async ({ query, ...call }) => {
    const rows = await openExport(call.db, await listOf(call.db, query, call.now));
    const { timeZone } = await settings.get();
    return sendExport(call, discountsList.file, { timeZone, columns, ...rows });
  });
  api.on('getDiscount', async ({ db, params, now }) =>
    answer(messages.getDiscount.success, await readDiscount(db, params.discountId, now)),
  );
  api.on(
    'createDiscount',
    async ({ tx, body, by, now }) =>
      answer(messages.createDiscount.success, await createDiscount(tx, body, { by, now })),
    { form: discountForm },
  );
  api.on(
    'updateDiscount',
    async ({ tx, params, body, by, now }) =>
      answer(messages.updateDiscount.success, await updateDiscount(tx, params.discountId, body, { by, now })),
    { form: discountForm },
  );
}

const answer = (message: string, discount: Discount) => ({ message, data: { discount: presentDiscount(discount) } });

const dollars = (cents: number | null) => (cents === null ? null : fromCents(cents));

const presentDiscount = (discount: Discount): Schema<'Discount'> => ({
  id: discount.id,
  code: discount.code,
  kind: discount.kind,
  percent: discount.percent,
  amount: dollars(discount.amountCents),
  minimum: dollars(discount.minimumCents),
  startsAt: discount.startsAt?.toISOString() ?? null,
  endsAt: discount.endsAt?.toISOString() ?? null,
  maxUses: discount.maxUses,
  maxUsesPerCustomer: discount.maxUsesPerCustomer,
  categoryIds: discount.categoryIds,
  note: discount.note,
  isActive: discount.isActive,
  createdAt: discount.createdAt.toISOString(),
  status: discount.status,
  uses: discount.uses,
  revenue: fromCents(discount.revenueCents),
});

const money = (cents: number | null) => (cents === null ? null : { cents });

const columns = fileColumns<typeof discountsList, Discount>(discountsList, {
  code: ({ code }) => code,
  kind: ({ kind }) => kind,
  percent: ({ percent }) => percent,
  amount: ({ amountCents }) => money(amountCents),
  minimum: ({ minimumCents }) => money(minimumCents),
  startsAt: ({ startsAt }) => startsAt,
  endsAt: ({ endsAt }) => endsAt,
  maxUses: ({ maxUses }) => maxUses,
  maxUsesPerCustomer: ({ maxUsesPerCustomer }) => maxUsesPerCustomer,
  uses: ({ uses }) => uses,
  revenue: ({ revenueCents }) => money(revenueCents),
  status: ({ status }) => discountStatusLabels[status],
  note: ({ note }) => note,
});
