/** Delivery methods, for staff. Orders copy name and price, so a change never affects existing orders. */
import { randomUUID } from 'node:crypto';
import type { BodyOf } from '../../shared/contract';
import { deliveryLimits, deliveryMessages as messages } from '../../shared/delivery';
import { toCents } from '../../shared/money';
import { type ShopTerritories, statesOf } from '../../shared/usStates';
import { changed, writeAudit, type Facts } from '../audit/service';
import { refuseViolation } from '../db/core/errors';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { conflict, invalid, notFound } from '../http/core/problems';
import { checkoutOnly, notifySettings } from '../settings/service';
import * as repository from './repository';
import type { DeliveryMethodRow } from './repository';

type Form = BodyOf<'createDeliveryMethod'>;
type Sender = { shop: ShopTerritories; by: Actor; now: Date };

/** Methods that are not archived, active or not, in checkout order. */
export async function listDeliveryMethods(connection: Connection, page: PageRequest) {
  const [rows, totalElements] = await Promise.all([
    repository.findMethods(connection, page),
    repository.countMethods(connection),
  ]);
  return { rows, totalElements };
}

/**
 * Adds a method, last unless the form has a position.
 * @throws Problem 400 invalid_request; 409 method_name_taken, too_many_methods
 * Rule: docs/rules/selling.md, Delivery methods
 */
export async function createDeliveryMethod(tx: Tx, form: Form, { shop, by, now }: Sender): Promise<DeliveryMethodRow> {
  const states = statesOfShop(form, shop);
  const others = await repository.lockMethods(tx);
  requireRoomForMethod(others);
  const place = Math.min(form.position ?? others.length, others.length);
  const method = { id: randomUUID(), ...factsOf(form), states, position: place, createdAt: now, archivedAt: null };
  await refuseTakenName(repository.insertMethod(tx, method));
  await placeAmong(tx, others, method);
  const target = { kind: 'delivery_method', id: method.id } as const;
  await writeAudit(tx, { by, action: 'delivery_method.created', target, after: audited(method), now });
  await notifySettings(tx, checkoutOnly);
  return method;
}

/**
 * Replaces a method; an archived one is restored.
 * @throws Problem 400 invalid_request, 404 method_not_found, 409 method_name_taken, too_many_methods
 * Rule: docs/rules/selling.md, Delivery methods
 */
export async function updateDeliveryMethod(
  tx: Tx,
  id: string,
  form: Form,
  { shop, by, now }: Sender,
): Promise<DeliveryMethodRow> {
  const all = await repository.lockMethods(tx);
  const before = all.find((method) => method.id === id) ?? (await repository.findMethod(tx, id));
  if (!before) throw methodNotFound();
  const states = statesOfShop(form, shop, before);
  const others = all.filter((method) => method.id !== id);
  if (before.archivedAt) requireRoomForMethod(others);
  const position = Math.min(form.position ?? before.position, others.length);
  const method = { ...before, ...factsOf(form), states, position, archivedAt: null };
  await refuseTakenName(repository.changeMethod(tx, method));
  await placeAmong(tx, others, method);
  const facts = changed(audited(before), audited(method));
  const action = before.archivedAt ? 'delivery_method.restored' : 'delivery_method.changed';
  const target = { kind: 'delivery_method', id } as const;
  if (facts) await writeAudit(tx, { by, action, target, ...facts, now });
  await notifySettings(tx, checkoutOnly);
  return method;
}

/**
 * Archives a method: it disappears from every list but stays in the database, since orders refer to it.
 * @returns the method as it was, so that a form can restore it
 * @throws Problem 404 method_not_found, also when it is already archived
 * Rule: docs/rules/selling.md, Delivery methods
 */
export async function archiveDeliveryMethod(tx: Tx, id: string, by: Actor, now: Date): Promise<DeliveryMethodRow> {
  const all = await repository.lockMethods(tx);
  const before = all.find((method) => method.id === id);
  if (!before) throw methodNotFound();
  const method = { ...before, archivedAt: now };
  await repository.changeMethod(tx, method);
  const rest = all.filter((other) => other.id !== id);
  await repository.placeMethods(
    tx,
    rest.map((other) => other.id),
  );
  const target = { kind: 'delivery_method', id } as const;
  const facts = { before: audited(before), after: audited(method) };
  await writeAudit(tx, { by, action: 'delivery_method.archived', target, ...changed(facts.before, facts.after), now });
  await notifySettings(tx, checkoutOnly);
  return before;
}

const factsOf = ({ name, description, price, freeFrom, isActive }: Form) => ({
  name,
  description,
  priceCents: toCents(price),
  freeFromCents: freeFrom === null ? null : toCents(freeFrom),
  isActive,
});

/**
 * @param before what a method served stays allowed, so that it can be changed after the shop stopped shipping there
 * @returns the states in the order of the list
 * @throws Problem 400 invalid_request
 */
function statesOfShop({ states }: Form, shop: ShopTerritories, before?: DeliveryMethodRow): string[] | null {
  if (states === null) return null;
  const listed = statesOf(shop, before?.states ?? []);
  const message = messages.otherStates(shop);
  if (states.some((state) => !listed.includes(state))) throw invalid(message, [{ field: 'states', message }]);
  return listed.filter((code) => states.includes(code));
}

const audited = ({ id: _id, createdAt: _createdAt, archivedAt, ...facts }: DeliveryMethodRow): Facts => ({
  ...facts,
  isArchived: archivedAt !== null,
});

/** Inserts it at its position; the others keep their order. */
const placeAmong = (tx: Tx, others: readonly DeliveryMethodRow[], { id, position }: DeliveryMethodRow) =>
  repository.placeMethods(tx, others.map((method) => method.id).toSpliced(position, 0, id));

function requireRoomForMethod(others: readonly unknown[]): void {
  if (others.length >= deliveryLimits.methods) throw conflict('too_many_methods', messages.tooMany);
}

const methodNotFound = () => notFound('method_not_found', messages.notFound);

const refuseTakenName = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'delivery_methods_name', () =>
    conflict('method_name_taken', messages.nameTaken, [{ field: 'name', message: messages.nameTaken }]),
  );
