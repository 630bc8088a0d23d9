/** Names for the targets of audit log entries, since the log itself stores ids. */
import { sql } from 'drizzle-orm';
import { kindLabel, type AuditedKind } from '../../shared/audit';
import { changesInWords } from '../../shared/auditWords';
import { categoryTitle } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import { mailKindLabels } from '../../shared/mail';
import { alarmLabels } from '../../shared/ordersStaff';
import { stateName } from '../../shared/usStates';
import type { Connection } from '../db/core/transact';
import { uuidPattern } from '../core/ids';
import type { AuditRow, EntryInWords } from './log';

type NamedKind = AuditedKind | 'item';

/** @param timeZone the shop's time zone */
export async function describeInWords(
  connection: Connection,
  rows: readonly AuditRow[],
  timeZone: string,
): Promise<EntryInWords[]> {
  const names = await findNames(connection, rows);
  return rows.map((row) => {
    const { action, before, after } = row;
    const facts = { action, before: asFacts(before), after: asFacts(after) };
    return { ...row, thing: thingOf(row, names), changes: changesInWords(facts, { names, timeZone }) };
  });
}

/** @returns the names of everything that the entries mention, by id, in one query */
async function findNames(connection: Connection, rows: readonly AuditRow[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(idsIn).filter((id) => uuidPattern.test(id));
  if (ids.length === 0) return new Map();
  const wanted = sql`any(${sql.param([...new Set(ids)])}::uuid[])`;
  const found = await connection.execute<{ kind: NamedKind; id: string; name: string; title: string | null }>(sql`
    select 'order' as kind, id, order_number as name, null as title from orders where id = ${wanted}
    union all select 'item', id, product_name, null from order_items where id = ${wanted}
    union all select 'product', id, name, null from products where id = ${wanted}
    union all select 'category', id, name, title from categories where id = ${wanted}
    union all select 'user', id, full_name, null from users where id = ${wanted}
    union all select 'message', id, full_name, null from contact_messages where id = ${wanted}
    union all select 'mail', id, kind, null from mails where id = ${wanted}
    union all select 'alarm', id, kind, null from alarms where id = ${wanted}
    union all select 'discount', id, code, null from discounts where id = ${wanted}
    union all select 'page', id, title, null from pages where id = ${wanted}
    union all select 'delivery_method', id, name, null from delivery_methods where id = ${wanted}`);
  return new Map(found.rows.map((row) => [row.id, inWords(row)]));
}

function inWords({ kind, name, title }: { kind: NamedKind; name: string; title: string | null }): string {
  if (kind === 'order') return `Order #${name}`;
  if (kind === 'category') return categoryTitle({ name, title });
  if (kind === 'message') return `Message from ${name}`;
  if (kind === 'discount') return `Code ${name}`;
  if (kind === 'mail') return `Email: ${mailKindLabels[name as Schema<'MailKind'>]}`;
  if (kind === 'alarm') return `Alert: ${alarmLabels[name as Schema<'Alarm'>['kind']]}`;
  return name;
}

/** @returns the entry's target in words; for a deleted target the name recorded in the entry, or else its kind */
function thingOf({ action, targetKind, targetId, before, after }: AuditRow, names: ReadonlyMap<string, string>) {
  if (action === 'product.imported') return 'Products';
  if (targetKind === 'tax_rate' && targetId) return stateName(targetId);
  if (targetKind === 'setting' && targetId === 'backups') return 'Backups';
  const known = names.get(targetId ?? '');
  if (known) return known;
  const { name, title } = { ...asFacts(before), ...asFacts(after) };
  if (targetKind === 'category' && typeof name === 'string')
    return categoryTitle({ name, title: typeof title === 'string' ? title : null });
  return kindLabel(targetKind);
}

type Facts = Record<string, unknown>;
const asFacts = (facts: unknown): Facts => (facts ?? {}) as Facts;

function idsIn({ targetId, before, after }: AuditRow): string[] {
  const named = [asFacts(before), asFacts(after)].flatMap(({ categoryId, categoryIds, lines }) => [
    categoryId,
    ...(Array.isArray(categoryIds) ? (categoryIds as unknown[]) : []),
    ...(Array.isArray(lines) ? (lines as Facts[]).map(({ orderItemId }) => orderItemId) : []),
  ]);
  return [targetId, ...named].filter((id) => typeof id === 'string');
}
