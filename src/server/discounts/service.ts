/**
 * Discount codes as staff create and change them. A use of a code is an order with it that was not canceled, so a code is
 * never deleted, and a used one keeps its name and kind.
 * Rule: docs/rules/selling.md, Discount codes
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { discountFormMessages, discountStaffMessages as messages } from '../../shared/discountsStaff';
import { toCents } from '../../shared/money';
import { changed, writeAudit, type Facts } from '../audit/service';
import { refuseViolation } from '../db/core/errors';
import { notifyAfterCommit, withLongTimeout, type Connection, type Db, type Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { conflict, invalid, notFound, type FieldError } from '../http/core/problems';
import * as repository from './repository';
import type { DiscountFacts, DiscountFigures, DiscountList, DiscountRow } from './repository';

export type Discount = DiscountRow & Omit<DiscountFigures, 'id'>;

/** @returns a page of the list, with revenue in cents */
export async function listDiscounts(connection: Connection, list: DiscountList, page: PageRequest) {
  const { figures, totalElements } = await repository.findFigures(connection, list, page);
  return { content: await withFacts(connection, figures), totalElements };
}

/** @returns the export's content: all ids of the list, and a function that reads the rows of some ids */
export async function openExport(db: Db, list: DiscountList) {
  const { figures } = await withLongTimeout(db, (tx) => repository.findFigures(tx, list));
  const byId = new Map(figures.map((each) => [each.id, each]));
  const read = (ids: string[]) =>
    withFacts(
      db,
      ids.flatMap((id) => byId.get(id) ?? []),
    );
  return { ids: figures.map(({ id }) => id), read };
}

async function withFacts(connection: Connection, figures: readonly DiscountFigures[]): Promise<Discount[]> {
  if (figures.length === 0) return [];
  const rows = await repository.findDiscounts(
    connection,
    figures.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return figures.flatMap((each) => {
    const row = byId.get(each.id);
    return row ? [{ ...row, ...each }] : [];
  });
}

/**
 * @returns the code, with its all-time revenue in cents
 * @throws Problem 404 discount_not_found
 */
export async function readDiscount(connection: Connection, id: string, now: Date): Promise<Discount> {
  const row = await repository.findDiscount(connection, id);
  if (!row) throw discountNotFound();
  return { ...row, ...(await repository.findFiguresOf(connection, id, now)) };
}

/**
 * Creates a code. `form` has passed discountForm: its code is in capitals.
 * @throws Problem 400 invalid_request for an unknown category, 409 code_taken
 * Rule: docs/rules/selling.md, Discount codes
 */
export async function createDiscount(
  tx: Tx,
  form: Schema<'DiscountForm'>,
  { by, now }: { by: Actor; now: Date },
): Promise<Discount> {
  const discount = { ...factsOf(form), id: randomUUID(), createdAt: now };
  await requireCategories(tx, discount.categoryIds ?? []);
  await refuseTakenCode(repository.insertDiscount(tx, discount));
  await notifyShopChanged(tx);
  const target = { kind: 'discount', id: discount.id } as const;
  await writeAudit(tx, { by, action: 'discount.created', target, after: audited(discount), now });
  return readDiscount(tx, discount.id, now);
}

/**
 * Changes a code.
 * @throws Problem 400 invalid_request for a newly added unknown category, 404 discount_not_found, 409 code_taken, 409
 *   discount_used when a used code's name or kind would change
 * Rule: docs/rules/selling.md, Discount codes
 */
export async function updateDiscount(
  tx: Tx,
  id: string,
  form: Schema<'DiscountForm'>,
  { by, now }: { by: Actor; now: Date },
): Promise<Discount> {
  const before = await repository.lockDiscount(tx, id);
  if (!before) throw discountNotFound();
  const facts = factsOf(form);
  if (before.isUsed) refuseChangeOfUsed(before, facts);
  const previousIds = before.categoryIds ?? [];
  await requireCategories(
    tx,
    (facts.categoryIds ?? []).filter((each) => !previousIds.includes(each)),
  );
  const change = changed(audited(before), audited(facts));
  if (change) {
    await refuseTakenCode(repository.changeDiscount(tx, id, facts));
    await notifyShopChanged(tx);
    await writeAudit(tx, { by, action: 'discount.changed', target: { kind: 'discount', id }, ...change, now });
  }
  return readDiscount(tx, id, now);
}

/** Missing values become null; values that the code's kind does not use are dropped. */
function factsOf(form: Schema<'DiscountForm'>): DiscountFacts {
  const cents = (dollars: number | null | undefined) => (typeof dollars === 'number' ? toCents(dollars) : null);
  const time = (text: string | null | undefined) => (text ? new Date(text) : null);
  const { code, kind, percent, amount, minimum, startsAt, endsAt, categoryIds, note = '', isActive = true } = form;
  return {
    code,
    kind,
    percent: kind === 'percent' ? (percent ?? null) : null,
    amountCents: kind === 'amount' ? cents(amount) : null,
    minimumCents: cents(minimum),
    startsAt: time(startsAt),
    endsAt: time(endsAt),
    maxUses: form.maxUses ?? null,
    maxUsesPerCustomer: form.maxUsesPerCustomer ?? null,
    categoryIds: categoryIds ? [...new Set(categoryIds.map((id) => id.toLowerCase()))] : null,
    note,
    isActive,
  };
}

const audited = ({ startsAt, endsAt, ...facts }: DiscountFacts): Facts => {
  const { code, kind, percent, amountCents, minimumCents, maxUses, maxUsesPerCustomer, categoryIds, note, isActive } =
    facts;
  return {
    code,
    kind,
    percent,
    amountCents,
    minimumCents,
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    maxUses,
    maxUsesPerCustomer,
    categoryIds,
    note,
    isActive,
  };
};

function refuseChangeOfUsed(before: DiscountFacts, after: DiscountFacts): void {
  const errors: FieldError[] = [
    ...(before.code === after.code ? [] : [{ field: 'code', message: messages.usedCode }]),
    ...(before.kind === after.kind ? [] : [{ field: 'kind', message: messages.usedKind }]),
  ];
  if (errors[0]) throw conflict('discount_used', errors[0].message, errors);
}

async function requireCategories(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = await repository.findCategoryIds(tx, ids);
  if (ids.every((id) => known.includes(id))) return;
  const message = discountFormMessages.unknownCategory;
  throw invalid(message, [{ field: 'categoryIds', message }]);
}

const refuseTakenCode = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'discounts_code_unique', () =>
    conflict('code_taken', messages.taken, [{ field: 'code', message: messages.taken }]),
  );

/** Each process caches the response of getShop until it is notified. */
async function notifyShopChanged(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_notify('settings', '')`);
  notifyAfterCommit(tx, 'settings', '');
}

const discountNotFound = () => notFound('discount_not_found', messages.notFound);
