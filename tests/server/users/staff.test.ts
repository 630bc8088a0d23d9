import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { users } from '../../../src/server/db/schema/tables';
import { longPassword } from '../../support/accounts';
import { logIn, newcomer } from '../../support/auth';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  shop.clock.advance(16 * 60_000); // rate limits of one test must not affect the next
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});

const newUser = (changes: object = {}) => ({
  ...newcomer({ password: longPassword, confirmPassword: longPassword }),
  role: 'ROLE_ADMIN',
  ...changes,
});
const setRole = (as: Person, userId: string, role: string) =>
  shop.call('updateUserRole', { as, path: { userId }, query: { role } });
const setEnabled = (as: Person, userId: string, isEnabled: boolean) =>
  shop.call('updateUserEnabled', { as, path: { userId }, body: { isEnabled } });
const roleOf = async (id: string) => (await shop.db.select().from(users).where(eq(users.id, id)))[0]?.role;

describe('the list of users', () => {
  test('has the newest first, in pages', async () => {
    const [first, second] = [await shop.signIn(), await shop.signIn()];
    const { data } = await shop.call('listUsers', { as: admin, query: { page: 0, size: 2 } });
    expect(data.users.content.map(({ id }) => id).sort()).toEqual([first.userId, second.userId].sort());
    expect(data.users.totalPages).toBe(Math.ceil(data.users.totalElements / 2));
    expect(JSON.stringify(data)).not.toContain('passwordHash');
  });

  test.each([
    [{ page: -1 }],
    [{ size: 0 }],
    [{ size: 101 }],
    [{ size: 1e9 }],
    [{ page: 1.5 }],
    [{ sort: 'password_hash' }],
  ])('with %j is rejected', async (query) => {
    expect(await shop.call('listUsers', { as: admin, query })).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('shows staff any account', async () => {
    const ana = await shop.signIn();
    const answer = await shop.call('getUserForStaff', { as: admin, path: { id: ana.userId } });
    expect(answer.data.user).toMatchObject({ id: ana.userId, email: ana.email, addresses: [] });
    const missing = await shop.call('getUserForStaff', { as: admin, path: { id: crypto.randomUUID() } });
    expect(missing).toMatchObject({ status: 404, code: 'user_not_found' });
  });
});

describe('adding a user', () => {
  test('creates an admin, who must change the password at the first login', async () => {
    const body = newUser();
    const answer = await shop.call('createUser', { as: admin, body });
    expect(answer).toMatchObject({ status: 201, message: 'User created successfully!' });
    expect(answer.data.user).toMatchObject({ role: 'ROLE_ADMIN', addresses: [{ city: 'Atlanta' }] });
    expect((await logIn(shop, body)).mustDo).toBe('change_password');
  });

  test('creates an admin, who need not do so once a customer again', async () => {
    const body = newUser();
    const { id } = (await shop.call('createUser', { as: admin, body })).data.user;
    await logIn(shop, body);
    expect((await setRole(admin, id, 'ROLE_USER')).status).toBe(200);
    const customer = await logIn(shop, body);
    expect(customer.mustDo).toBeNull();
    const headers = { authorization: `Bearer ${customer.jwt}` };
    expect((await shop.call('getCart', { path: { userId: id }, headers })).status).toBe(200);
  });

  test('with the role User creates a customer', async () => {
    const body = newUser({ role: 'ROLE_USER', password: 'pepper 12', confirmPassword: 'pepper 12' });
    const answer = await shop.call('createUser', { as: admin, body });
    expect(answer.data.user.role).toBe('ROLE_CUSTOMER');
    expect((await logIn(shop, body)).mustDo).toBeNull();
  });

  test.each([
    [{ role: '' }, 'role', 'Role is required'],
    [{ role: undefined }, 'role', 'Role is required'],
    [{ role: 'ROLE_OWNER' }, 'role', 'Role is required'],
    [
      { password: 'only eleven', confirmPassword: 'only eleven' },
      'password',
      'Password must be at least 12 characters',
    ],
    [
      { password: 'password1234', confirmPassword: 'password1234' },
      'password',
      'That password is too common. Try another.',
    ],
    [{ email: 'x' }, 'email', 'Invalid email address'],
  ])('with %j is rejected', async (changes, field, message) => {
    const answer = await shop.call('createUser', { as: admin, body: newUser(changes) });
    expect(answer).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test('with a taken email is rejected, and creates nothing', async () => {
    const { email } = await shop.signIn();
    expect(await shop.call('createUser', { as: admin, body: newUser({ email }) })).toMatchObject({
      status: 409,
      code: 'email_taken',
    });
  });

  test('twice with one Idempotency-Key creates one', async () => {
    const [body, key] = [newUser(), crypto.randomUUID()];
    const [first, second] = await Promise.all([1, 2].map(() => shop.call('createUser', { as: admin, body, key })));
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(first?.data.user.id).toBe(second?.data.user.id);
  });
});

describe('roles', () => {
  test('an admin makes a customer an admin, and back', async () => {
    const { userId } = await shop.signIn();
    expect(await setRole(admin, userId, 'ROLE_ADMIN')).toMatchObject({
      status: 200,
      message: 'User role updated to Admin',
      data: { user: { role: 'ROLE_ADMIN' } },
    });
    expect(await setRole(admin, userId, 'ROLE_USER')).toMatchObject({
      message: 'User role updated to User',
      data: { user: { role: 'ROLE_CUSTOMER' } },
    });
  });

  test('nobody changes their own role, nobody creates an owner, and no owner is changed or deactivated', async () => {
    for (const role of ['ROLE_ADMIN', 'ROLE_CUSTOMER'])
      expect(await setRole(admin, admin.userId, role)).toMatchObject({ status: 409, code: 'own_role' });
    expect(await setRole(admin, admin.userId.toUpperCase(), 'ROLE_CUSTOMER')).toMatchObject({ code: 'own_role' });
    expect(await setRole(owner, owner.userId, 'ROLE_CUSTOMER')).toMatchObject({ status: 409, code: 'own_role' });
    expect(await setRole(admin, owner.userId, 'ROLE_CUSTOMER')).toMatchObject({ status: 409, code: 'owner_role' });
    const { userId } = await shop.signIn();
    expect((await setRole(admin, userId, 'ROLE_OWNER')).status).toBe(400);
    expect((await setRole(owner, admin.userId, 'ROLE_OWNER')).status).toBe(400);
    expect(await setEnabled(admin, userId, false)).toMatchObject({ status: 403, code: 'forbidden' });
    const other = await shop.signIn({ role: 'ROLE_OWNER' });
    for (const target of [owner, other])
      expect(await setEnabled(owner, target.userId, false)).toMatchObject({ status: 409, code: 'owner_enabled' });
  });

  test('an admin who is being demoted promotes no friend at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const [leaving, friend] = [await shop.signIn({ role: 'ROLE_ADMIN' }), await shop.signIn()];
      const [, promoted] = await Promise.all([
        setRole(owner, leaving.userId, 'ROLE_CUSTOMER'),
        setRole(leaving, friend.userId, 'ROLE_ADMIN'),
      ]);
      const audited = await shop.pool.query<{ actor_id: string }>(
        `select actor_id from audit_log where action = 'user.role_changed' and target_id in ($1, $2) order by id`,
        [leaving.userId, friend.userId],
      );
      // either the friend's promotion came first, or it failed
      const order = audited.rows.map(({ actor_id }) => actor_id);
      expect(order).toEqual(promoted.status === 200 ? [leaving.userId, owner.userId] : [owner.userId]);
      expect(await roleOf(friend.userId)).toBe(promoted.status === 200 ? 'ROLE_ADMIN' : 'ROLE_CUSTOMER');
    }
  });

  test('two admins who demote each other at the same time do not both succeed', async () => {
    const [one, two] = [await shop.signIn({ role: 'ROLE_ADMIN' }), await shop.signIn({ role: 'ROLE_ADMIN' })];
    const answers = await Promise.all([
      setRole(one, two.userId, 'ROLE_CUSTOMER'),
      setRole(two, one.userId, 'ROLE_CUSTOMER'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 401, 403]).toContain(status);
  });

  test('the database itself keeps the last active owner', async () => {
    const alone = await openOwnShop();
    const { userId } = await alone.signIn({ role: 'ROLE_OWNER' });
    for (const statement of [
      `update users set role = 'ROLE_CUSTOMER' where id = $1`,
      'update users set is_enabled = false where id = $1',
      'delete from users where id = $1',
    ])
      await expect(alone.pool.query(statement, [userId])).rejects.toMatchObject({ constraint: 'users_an_owner' });
    const second = await alone.signIn({ role: 'ROLE_OWNER' });
    const leave = (id: string) => alone.pool.query('update users set is_enabled = false where id = $1', [id]);
    const left = await Promise.allSettled([leave(userId), leave(second.userId)]);
    expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await alone.close();
  });
});

describe('deactivating and reactivating users', () => {
  test('is the owner’s right, and a deactivated user cannot log in', async () => {
    const body = newUser({ role: 'ROLE_USER' });
    const { data } = await shop.call('createUser', { as: admin, body });
    const { id } = data.user;
    expect(await setEnabled(owner, id, false)).toMatchObject({ status: 200, data: { user: { isEnabled: false } } });
    expect((await shop.call('login', { body: { email: body.email, password: longPassword } })).status).toBe(401);
    expect(await setEnabled(owner, id, true)).toMatchObject({ status: 200, message: 'User activated' });
    await logIn(shop, body);
    expect(await setEnabled(owner, crypto.randomUUID(), false)).toMatchObject({ status: 404, code: 'user_not_found' });
  });
});
