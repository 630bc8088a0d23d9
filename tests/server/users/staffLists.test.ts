import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateUsers, rowsOf } from '../../support/backOffice';
import { bearer, newStaff } from '../../support/accounts';
import { logIn } from '../../support/auth';
import { contractOperations, requireOperation } from '../../support/contract';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

describe('the list of users', () => {
  type Row = { id: string; email: string; name: string; role: string; enabled: boolean; created: string };
  let all: Row[];
  beforeAll(async () => {
    await generateUsers(shop.pool, 150, shop.clock.now());
    all = (
      await shop.pool.query<Row>(
        `select id, email, full_name as name, role, is_enabled as enabled, created_at::text as created from users`,
      )
    ).rows;
  });

  const filters: [query: object, passes: (row: Row) => boolean][] = [
    [{}, () => true],
    [{ q: 'ceesay' }, ({ name }) => /ceesay/i.test(name)],
    [{ q: 'USER7' }, ({ email }) => email.includes('user7')],
    [{ q: '_' }, ({ name, email }) => `${name}${email}`.includes('_')],
    [{ role: 'ROLE_ADMIN' }, ({ role }) => role === 'ROLE_ADMIN'],
    [{ role: 'ROLE_OWNER' }, ({ role }) => role === 'ROLE_OWNER'],
    [{ isEnabled: false }, ({ enabled }) => !enabled],
    [
      { isEnabled: true, role: 'ROLE_CUSTOMER', q: 'Grace' },
      ({ enabled, role, name }) => enabled && role === 'ROLE_CUSTOMER' && name.startsWith('Grace'),
    ],
  ];
  const keys: Record<string, (row: Row) => string> = {
    fullName: ({ name }) => name.toLowerCase(),
    email: ({ email }) => email,
    createdAt: ({ created }) => created,
    status: ({ enabled, created }) => `${enabled ? 1 : 0} ${created}`,
    role: ({ role, created }) => `${role} ${created}`,
  };
  const sorts = requireOperation('listUsers').parameters?.find(({ name }) => name === 'sort') as unknown as {
    schema: { enum: string[] };
  };
  const idsOf = async (query: object): Promise<string[]> => {
    const page = async (number: number) =>
      (await shop.call('listUsers', { as: admin, query: { ...query, page: number, size: 100 } })).data.users;
    const [first, second] = [await page(0), await page(1)];
    expect(first.totalElements).toBe(first.content.length + second.content.length);
    return [...first.content, ...second.content].map(({ id }) => id);
  };

  test.each(sorts.schema.enum)('is filtered in every way and sorted by %s, up and down', async (sort) => {
    const key = keys[sort];
    if (!key) throw new Error(`nothing says what sorting by ${sort} means`);
    const byId = new Map(all.map((row) => [row.id, row]));
    for (const [query, passes] of filters) {
      const expected = all.filter(passes);
      expect(expected.length, JSON.stringify(query)).toBeGreaterThan(0);
      for (const direction of ['asc', 'desc']) {
        const ids = await idsOf({ ...query, sort, direction });
        expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
        const shown = ids.map((id) => key(byId.get(id)!));
        const sorted = shown.toSorted((one, other) => Number(one > other) - Number(one < other));
        expect(shown).toEqual(direction === 'asc' ? sorted : sorted.toReversed());
      }
    }
  });

  test('is exported with exactly the rows of its filter, and no formulas', async () => {
    const query = { q: 'Marie', sort: 'email', direction: 'asc' };
    const { body, statusCode } = await shop.app.inject({
      url: '/api/admin/users/export',
      query,
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(statusCode).toBe(200);
    const rows = rowsOf(body);
    expect(rows.length).toBe(all.filter(({ name }) => name.includes('Marie')).length);
    expect(rows[0]).toMatchObject({ 'Full Name': expect.stringMatching(/^'=Marie/), Role: 'Customer' });
    expect(new Set(rows.map((row) => row['Status']))).toEqual(new Set(['Active', 'Inactive']));
    expect(body).not.toMatch(/argon2|totp|hash/i);
  });

  test.each([{ sort: 'passwordHash' }, { role: 'ROLE_ROOT' }, { isEnabled: 'maybe' }, { size: 101 }])(
    'rejects %j',
    async (query) => {
      expect(await shop.call('listUsers', { as: admin, query })).toMatchObject({ status: 400 });
    },
  );
});

describe('logging a user out everywhere', () => {
  const end = (as: Person, userId: string) => shop.call('endSessionsOfUser', { as, path: { userId } });
  const mayCall = async (person: Person) =>
    (await shop.call('getUser', { as: person, path: { userId: person.userId } })).status;

  test('ends each of the sessions, returns how many, and is in the audit log once', async () => {
    const ana = await shop.signIn();
    const atHome = await shop.again(ana);
    expect((await end(admin, ana.userId)).data.ended).toBe(2);
    expect([await mayCall(ana), await mayCall(atHome)]).toEqual([401, 401]);
    expect((await end(admin, ana.userId)).data.ended).toBe(0);
    const { rows } = await shop.pool.query('select action, after from audit_log where target_id = $1', [ana.userId]);
    expect(rows).toEqual([{ action: 'user.sessions_ended', after: { ended: 2 } }]);
  });

  test('if an owner, is only for owners', async () => {
    const other = await shop.signIn({ role: 'ROLE_OWNER' });
    expect(await end(admin, other.userId)).toMatchObject({ status: 409, code: 'owner_sessions' });
    expect(await mayCall(other)).toBe(200);
    expect((await end(owner, other.userId)).data.ended).toBe(1);
  });
});

test('an admin who is made a customer is rejected from the next call on, and again after a new login', async () => {
  const { account, ...before } = await newStaff(shop);
  const headers = bearer(before);
  expect((await shop.call('listOrders', { headers })).status).toBe(200);
  await shop.call('updateUserRole', { as: owner, path: { userId: account.id }, query: { role: 'ROLE_USER' } });
  const refreshed = await shop.call('refreshToken', { body: { refreshToken: before.refreshToken } });
  expect([(await shop.call('listOrders', { headers })).status, refreshed.status]).toEqual([401, 401]);
  const after = await logIn(shop, account);
  const forStaff = [...contractOperations.values()].filter(({ path }) => path.startsWith('/admin/'));
  for (const { operationId, method, path } of forStaff) {
    const url = `/api${path.replace(/\{\w+\}/g, account.id)}`;
    const answer = await shop.app.inject({ method, url, headers: bearer(after) });
    expect(answer.statusCode, operationId).toBe(403);
  }
});
