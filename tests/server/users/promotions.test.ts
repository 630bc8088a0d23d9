/** Whom an admin made staff: what the owner sees once that admin is no longer one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longPassword, mailsTo } from '../../support/accounts';
import { newcomer } from '../../support/auth';
import { openOwnShop, publicUrl, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  shop.clock.advance(2 * 3_600_000); // the owner's notices are counted by the hour
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});

const admin = (fullName = 'Eve Njie') => shop.signIn({ role: 'ROLE_ADMIN', fullName });
const setRole = async (as: Person, { userId }: { userId: string }, role = 'ROLE_ADMIN') =>
  shop.call('updateUserRole', { as, path: { userId }, query: { role } });
const promotionsOf = (userId: string, query: object = {}) =>
  shop.call('listPromotions', { as: owner, path: { userId }, query: { ...query } });
/** A user whom `as` makes an admin, with an admin session. */
async function promoted(as: Person, fullName: string): Promise<Person> {
  const person = await shop.signIn({ fullName });
  expect((await setRole(as, person)).status).toBe(200);
  return shop.again({ ...person, role: 'ROLE_ADMIN' });
}

describe('the list of accounts that a user made staff', () => {
  test('has those they promoted and those they added as admins, the latest first', async () => {
    const eve = await admin();
    const friend = await promoted(eve, 'Friend One');
    shop.clock.advance(60_000);
    const body = {
      ...newcomer({ fullName: 'Friend Two', password: longPassword, confirmPassword: longPassword }),
      role: 'ROLE_ADMIN',
    };
    await shop.call('createUser', { as: eve, body });
    await shop.call('createUser', { as: eve, body: { ...newcomer(), role: 'ROLE_USER' } });
    await setRole(owner, eve, 'ROLE_USER');
    const { data, status } = await promotionsOf(eve.userId);
    expect(status).toBe(200);
    expect(data.by).toEqual({ userId: eve.userId, fullName: 'Eve Njie' });
    expect(data.promotions).toMatchObject({
      totalElements: 2,
      content: [
        { user: { fullName: 'Friend Two', role: 'ROLE_ADMIN' }, by: { userId: eve.userId } },
        { user: { id: friend.userId, role: 'ROLE_ADMIN', isEnabled: true }, by: { fullName: 'Eve Njie' } },
      ],
    });
    expect(new Date(data.promotions.content[0]?.at ?? '').getTime()).toBeLessThanOrEqual(shop.clock.now().getTime());
  });

  test('includes those that these made staff in turn, also in a circle', async () => {
    const eve = await admin();
    const second = await promoted(eve, 'Second');
    const third = await promoted(second, 'Third');
    await setRole(owner, eve, 'ROLE_USER');
    await setRole(third, eve);
    const { promotions } = (await promotionsOf(eve.userId)).data;
    expect(promotions.content.map(({ user, by }) => [user.fullName, by.fullName])).toEqual([
      ['Third', 'Second'],
      ['Second', 'Eve Njie'],
    ]);
  });

  test('shows their current state, and moves them to the user who made them admins again', async () => {
    const eve = await admin();
    const [friend, other] = [await promoted(eve, 'Friend'), await promoted(eve, 'Other')];
    await setRole(owner, friend, 'ROLE_USER');
    await shop.call('updateUserEnabled', { as: owner, path: { userId: other.userId }, body: { isEnabled: false } });
    expect(
      (await promotionsOf(eve.userId)).data.promotions.content.map(({ user }) => [user.role, user.isEnabled]),
    ).toEqual([
      ['ROLE_ADMIN', false],
      ['ROLE_CUSTOMER', true],
    ]);
    await setRole(owner, friend);
    const { content } = (await promotionsOf(eve.userId)).data.promotions;
    expect(content.map(({ user }) => user.id)).toEqual([other.userId]);
  });

  test('has pages, and is empty for a user who promoted nobody', async () => {
    const eve = await admin();
    for (const name of ['One', 'Two', 'Three']) await promoted(eve, name);
    const { promotions } = (await promotionsOf(eve.userId, { page: 1, size: 2 })).data;
    expect(promotions).toMatchObject({ totalElements: 3, totalPages: 2, content: [{ user: { fullName: 'One' } }] });
    const behindTheLast = (await promotionsOf(eve.userId, { page: 2, size: 2 })).data.promotions;
    expect(behindTheLast).toMatchObject({ totalElements: 3, totalPages: 2, content: [] });
    expect((await promotionsOf((await admin()).userId)).data.promotions).toMatchObject({
      totalElements: 0,
      content: [],
    });
  });

  test('is for the owner only', async () => {
    const eve = await admin();
    const answer = await shop.call('listPromotions', { as: eve, path: { userId: eve.userId } });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

describe('an admin who is made a customer by another admin', () => {
  test('causes a mail to the owner, with the page that lists whom they made staff', async () => {
    const [eve, fatou] = [await admin(), await admin('Fatou Sey')];
    await setRole(fatou, eve, 'ROLE_USER');
    const mail = (await mailsTo(shop, owner.email)).at(-1) ?? '';
    expect(mail).toContain('Subject: An admin is now a customer');
    expect(mail).toContain('Fatou Sey changed Eve Njie from admin to customer.');
    expect(mail).toContain(`${publicUrl.origin}/admin/view/user/${eve.userId}`);
  });

  test('causes no mail when the owner did it, nor when a user is made an admin', async () => {
    const eve = await admin();
    await promoted(eve, 'Friend');
    await setRole(owner, eve, 'ROLE_USER');
    expect(await mailsTo(shop, owner.email)).toEqual([]);
  });
});
