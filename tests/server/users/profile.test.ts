import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bearer } from '../../support/accounts';
import { newCustomer, type SignedIn } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const address = { street: '1 Palm Road', city: 'Savannah', state: 'GA', postalCode: '31401' };

const save = (ana: SignedIn, changes: object = {}, key?: string) =>
  shop.call('updateProfile', {
    ...(key && { key }),
    path: { userId: ana.user.id },
    headers: bearer(ana),
    body: { fullName: ana.user.fullName, email: ana.user.email, description: null, ...changes },
  });
const add = (ana: SignedIn, body: object = address) =>
  shop.call('addAddress', { path: { userId: ana.user.id }, headers: bearer(ana), body });

describe('the profile', () => {
  test('accepts name, description, phone number and date of birth, and keeps what was not sent', async () => {
    const ana = await newCustomer(shop);
    const first = await save(ana, { fullName: ' Awa J. ', description: ' Cooks ', phoneNumber: '+1 (404) 555-0100' });
    expect(first).toMatchObject({ status: 200, message: 'Profile updated successfully' });
    expect(first.data.user).toMatchObject({
      fullName: 'Awa J.',
      description: 'Cooks',
      phoneNumber: '+1 (404) 555-0100',
      dob: null,
    });
    const second = await save(ana, { dob: '1990-12-31' });
    expect(second.data.user).toMatchObject({ phoneNumber: '+1 (404) 555-0100', dob: '1990-12-31', description: null });
    const third = await save(ana, { phoneNumber: '', dob: null });
    expect(third.data.user).toMatchObject({ phoneNumber: null, dob: null });
  });

  const rejections: [string, unknown, string][] = [
    ['fullName', ' ', 'Enter a full name'],
    ['email', '', 'Email is required'],
    ['email', 'awa', 'Invalid email address'],
    ['phoneNumber', 'call me', 'Enter a phone number'],
    ['dob', '31.12.1990', 'Enter a date'],
    ['dob', '1990-02-30', 'Enter a date'],
    ['dob', '2990-02-28', "Enter a date that isn't in the future"],
    ['description', 'x'.repeat(1001), 'Use 1000 characters or fewer'],
    ['description', 'My card: 4242 4242 4242 4242', "Don't enter a card number here"],
  ];
  test.each(rejections)('with %s “%s” is rejected', async (field, value, message) => {
    const answer = await save(await newCustomer(shop), { [field]: value });
    expect(answer).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test.each(['role', 'isEnabled', 'id', 'passwordHash', 'mustChangePassword', 'createdAt', 'imageUrl'])(
    'with the field %s is rejected under its name',
    async (field) => {
      const ana = await newCustomer(shop);
      expect(await save(ana, { [field]: 'ROLE_OWNER' })).toMatchObject({ status: 400, errors: [{ field }] });
      expect((await save(ana)).data.user).toEqual({ ...ana.user, description: null });
    },
  );
});

describe('addresses', () => {
  test('are added, changed and removed, by the registration form’s rules', async () => {
    const ana = await newCustomer(shop);
    const added = await add(ana, { ...address, state: 'Georgia' });
    expect(added).toMatchObject({ status: 200, message: 'Address added successfully' });
    const [first, second] = added.data.user.addresses;
    expect(second).toMatchObject({ ...address, country: 'United States' });
    const path = { userId: ana.user.id, addressId: second?.id ?? '' };
    const changed = await shop.call('updateAddress', {
      path,
      headers: bearer(ana),
      body: { ...address, city: 'Macon' },
    });
    expect(changed.data.user.addresses).toMatchObject([{ id: first?.id }, { id: second?.id, city: 'Macon' }]);
    const removed = await shop.call('removeAddress', { path, headers: bearer(ana) });
    expect(removed).toMatchObject({ status: 200, message: 'Address removed successfully' });
    expect(removed.data.user.addresses.map(({ id }) => id)).toEqual([first?.id]);
    const again = await shop.call('removeAddress', { path, headers: bearer(ana) });
    expect(again).toMatchObject({ status: 404, code: 'address_not_found' });
  });

  test.each([
    ['street', '', 'Enter a street address'],
    ['state', 'Banjul', 'Choose one of the 50 states or DC'],
    ['postalCode', '30303-1234', 'Postal code must be no more than 5 characters'],
    ['city', '4242424242424242', "Don't enter a card number here"],
  ])('with %s “%s” are rejected', async (field, value, message) => {
    const answer = await add(await newCustomer(shop), { ...address, [field]: value });
    expect(answer).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test('are limited to twenty per account, even when thirty are sent in parallel', async () => {
    const ana = await newCustomer(shop);
    const answers = await Promise.all(Array.from({ length: 30 }, () => add(ana)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19); // one came with the registration
    expect(answers.filter(({ code }) => code === 'too_many_addresses')).toHaveLength(11);
  });

  test('of another user look missing', async () => {
    const [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
    const theirs = ben.user.addresses[0]?.id ?? '';
    for (const id of ['updateAddress', 'removeAddress'] as const) {
      const ask = (addressId: string) =>
        shop.call(id, {
          path: { userId: ana.user.id, addressId },
          headers: bearer(ana),
          ...(id === 'updateAddress' && { body: address }),
        });
      const [foreign, missing] = [await ask(theirs), await ask(crypto.randomUUID())];
      expect(foreign).toMatchObject({ status: 404, code: 'address_not_found' });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    const { data } = await shop.call('getUser', { path: { userId: ben.user.id }, headers: bearer(ben) });
    expect(data.user.addresses).toEqual(ben.user.addresses);
  });
});
