/** Every form that stores text: each hostile text is either stored unchanged or rejected under its field's name. */
import { productFieldNames, productFields } from '../../src/shared/productFields';
import { openOrder } from './buying';
import { multipart } from './multipart';
import type { Person, TestShop } from './shop';

/** Fields that take text, and a call that writes it into some of them and returns what each stored. */
export type Place<Field extends string = string> = {
  fields: readonly Field[];
  write: (texts: Partial<Record<Field, string>>) => Promise<Written>;
};
type Written = { status: number; errors: { field: string }[]; back: Record<string, unknown> };

const place = <Field extends string>(fields: readonly Field[], write: Place<Field>['write']): Place => ({
  fields,
  write,
});

const address = { street: '1 Palm Road', city: 'Savannah', state: 'GA', postalCode: '31401' };

/** @param shop an exclusive one: the stored forms and the counted attempts are deleted again */
export function placesOf(shop: TestShop, ana: Person, admin: Person) {
  const profile = place(['fullName', 'description'], async (texts) => {
    const body = { fullName: 'Ana', email: ana.email, description: null, ...texts };
    const answer = await shop.call('updateProfile', { as: ana, path: { userId: ana.userId }, body });
    return { ...answer, back: answer.data?.user ?? {} };
  });

  const addresses = place(['street', 'city'], async (texts) => {
    const path = { userId: ana.userId };
    const answer = await shop.call('addAddress', { as: ana, path, body: { ...address, ...texts } });
    const saved = answer.data?.user.addresses.at(-1);
    if (saved) await shop.call('removeAddress', { as: ana, path: { ...path, addressId: saved.id } });
    return { ...answer, back: saved ?? {} };
  });

  const message = place(['reason'], async (texts) => {
    await shop.pool.query('delete from attempts');
    const answer = await shop.call('createContactMessage', { body: { email: 'ana@example.com', ...texts } });
    const { rows } = await shop.pool.query<{ reason: string }>(
      `delete from contact_messages where email = 'ana@example.com' returning reason`,
    );
    return { ...answer, back: rows[0] ?? {} };
  });

  /** Staff's internal notes on an order. */
  async function note(): Promise<Place> {
    const { orderId } = await openOrder(shop);
    const path = { orderId };
    return place(['text'], async (texts) => {
      await shop.pool.query('delete from order_notes');
      const answer = await shop.call('addOrderNote', { as: admin, path, body: texts });
      return { ...answer, back: answer.data?.details.notes[0] ?? {} };
    });
  }

  /** Written by staff and sent by mail. */
  async function reply(): Promise<Place> {
    await shop.call('createContactMessage', { body: { email: 'awa@example.com', reason: 'Hello' } });
    const { data } = await shop.call('listMessages', { as: admin });
    const path = { messageId: data.messages.content[0]?.id ?? '' };
    return place(['text'], async (texts) => {
      await shop.pool.query('delete from message_replies');
      const answer = await shop.call('replyToMessage', { as: admin, path, body: texts });
      return { ...answer, back: answer.data?.replies[0] ?? {} };
    });
  }

  /** Written by staff and read by customers. */
  async function product(): Promise<Place> {
    const { id, categoryId: category } = await shop.stock();
    const texts = productFieldNames.filter((name) => productFields[name].kind === 'text');
    return place(texts, async (sentTexts) => {
      const form = { name: 'Pepper', description: 'Black', price: '4.50', availability: 'true', quantity: '10' };
      const sent = multipart({ ...form, category, ...sentTexts });
      const answer = await shop.call('updateProduct', { as: admin, path: { id }, ...sent });
      const { data } = await shop.call('getProductForStaff', { as: admin, path: { id } });
      const empty = Object.fromEntries(texts.map((name) => [name, null])); // left out of the response
      const made = sentTexts.slug?.trim() === '' && { slug: null }; // a blank address is made of the name
      return { ...answer, back: { ...empty, ...data.product, ...made } };
    });
  }

  /** Why staff corrected the stock; the ledger shows it. */
  async function stock(): Promise<Place> {
    const path = { id: (await shop.stock()).id };
    return place(['reason'], async (texts) => {
      const answer = await shop.call('adjustStock', { as: admin, path, body: { change: 1, ...texts } });
      if (answer.status >= 300) return { ...answer, back: {} };
      const { data } = await shop.call('listStockMovements', { as: admin, path, query: { size: 1 } });
      return { ...answer, back: data.movements.content[0] ?? {} };
    });
  }

  return { profile, addresses, message, note, reply, product, stock };
}

/** Blanks at the ends are trimmed, and line ends of a form arrive as browsers write them. */
const tidy = (text: unknown) => (typeof text === 'string' ? text.trim().replaceAll('\r\n', '\n') : text);

/** Texts that are neither stored unchanged nor rejected under their field's name. */
export async function breaches(texts: readonly string[], { fields, write }: Place): Promise<string[]> {
  const found: string[] = [];
  for (const text of texts) {
    for (let left = fields; left.length > 0;) {
      const { status, errors, back } = await write(Object.fromEntries(left.map((field) => [field, text])));
      const refused = left.filter((field) => errors.some((error) => error.field === field));
      if (status === 400 && refused.length > 0) {
        left = left.filter((field) => !refused.includes(field)); // retries the others without them
        continue;
      }
      if (status === 413) break; // longer than anything the form could send
      const isKept = (field: string) =>
        tidy(back[field]) === tidy(text) || (back[field] === null && text.trim() === '');
      const lost = status < 300 ? left.filter((field) => !isKept(field)) : left;
      found.push(...lost.map((field) => `${status} ${field} ${JSON.stringify(text).slice(0, 80)}`));
      break;
    }
  }
  return found;
}
