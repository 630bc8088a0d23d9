/** A shop whose owner set delivery, tax or codes, and a customer who orders there. */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { deliveryMethods, discounts, taxRates } from '../../../src/server/db/schema/tables';
import { notifyAfterCommit, transact } from '../../../src/server/db/core/transact';
import type { Person, TestShop } from '../../support/shop';
import { control, fieldCalled, fill, press, until, waiting } from '../openTab';

type Method = Partial<typeof deliveryMethods.$inferInsert>;
export type Code = Partial<typeof discounts.$inferInsert>;
export type Sets = {
  methods?: Method[];
  rates?: [state: string, ppm: number, taxesDelivery?: boolean][];
  codes?: Code[];
};

export const standard = { name: 'Standard', description: '3–5 business days', priceCents: 595, freeFromCents: 6000 };
export const express = { name: 'Express', description: 'Next working day', priceCents: 1495 };
export const welcome = { code: 'WELCOME10', kind: 'percent' as const, percent: 10 };

/** Replaces earlier settings. The server's processes are notified as they are by the owner's page. */
export async function ownerSets(shop: TestShop, { methods = [], rates = [], codes = [] }: Sets): Promise<void> {
  const now = shop.clock.now();
  await shop.db.update(deliveryMethods).set({ archivedAt: now, isActive: false });
  await shop.db.delete(taxRates);
  await shop.db.update(discounts).set({ isActive: false });
  for (const [position, method] of methods.entries())
    await shop.db
      .insert(deliveryMethods)
      .values({ id: randomUUID(), name: 'Standard', priceCents: 595, position, createdAt: now, ...method });
  for (const [state, ratePpm, taxesDelivery = false] of rates)
    await shop.db.insert(taxRates).values({ state, ratePpm, taxesDelivery, changedAt: now });
  for (const code of codes)
    await shop.db
      .insert(discounts)
      .values({ id: randomUUID(), createdAt: now, ...welcome, ...code })
      .onConflictDoUpdate({ target: discounts.code, set: { isActive: true, ...code } });
  await transact(shop.db, async (tx) => notifyAfterCommit(tx, 'settings', ''));
}

/** A customer with two units for $31.80 in the cart and an address in each of these states. */
export async function buyer(shop: TestShop, { states = ['GA', 'OH'], priceCents = 1590 } = {}): Promise<Person> {
  const ana = await shop.signIn();
  const { id: productId } = await shop.stock({ name: 'Afra Grill Rub', priceCents });
  const path = { userId: ana.userId };
  await shop.call('addCartItem', { as: ana, path, body: { productId, quantity: 2 } });
  for (const state of states) {
    const body = { street: `1 ${state} Street`, city: 'Springfield', state, postalCode: '30303' };
    await shop.call('addAddress', { as: ana, path, body });
  }
  return ana;
}

export const card = (words: string) =>
  vi.waitFor(() => {
    const found = [...document.querySelectorAll('fieldset label')].find((label) => label.textContent?.includes(words));
    if (!found) throw new Error(`no card says ${words}`);
    return found.querySelector('input') as HTMLInputElement;
  }, waiting);

export const isOff = (element: Element) => element.hasAttribute('aria-disabled');

export async function place(): Promise<void> {
  const button = await control('Place Order');
  await until(() => !isOff(button));
  button.click();
}

export async function enterCode(code: string): Promise<HTMLInputElement> {
  if (![...document.querySelectorAll('label')].some(({ textContent }) => textContent === 'Discount code'))
    await press('Add a discount code');
  await fill('Discount code', code);
  const field = (await fieldCalled('Discount code')) as HTMLInputElement;
  await until(() => field.value === code);
  field.form?.requestSubmit(); // as Enter does
  return field;
}

/** The total's announcement for screen readers. */
export const announced = () => document.querySelector('main .sr-only')?.textContent ?? '';
