/** Mails about account changes: many within an hour become one. */
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noticesAnHour, sendNotice, type Notice } from '../../../src/server/auth/core/notices';
import { mails } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { mailsTo } from '../../support/accounts';
import { openAccount } from '../../support/auth';
import { paidOrder } from '../../support/buying';
import { mailsOf } from '../../support/mails';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(2 * 3_600_000));

type Person = { id: string; email: string };

const proven = async (): Promise<Person> => openAccount(shop);
const tell = ({ id, email }: Person, what: Exclude<Notice['what'], 'admin_demoted'> = 'password_changed') => {
  const now = shop.clock.now();
  return transact(shop.db, (tx) => sendNotice(tx, { id, email, emailProvenAt: now }, { what }, now));
};
const times = async (count: number, work: () => Promise<unknown>) => {
  for (let time = 0; time < count; time++) await work();
};
const noticesTo = ({ email }: Person) =>
  shop.db
    .select()
    .from(mails)
    .where(and(eq(mails.recipient, email), eq(mails.kind, 'security_notice')));
/** Jobs run by the database's clock, which tests do not move. */
const hourIsOver = () =>
  shop.pool.query(`update graphile_worker._private_jobs set run_at = now() where run_at > now() + interval '1 minute'`);

describe('security notices', () => {
  test('beyond five an hour are combined in one mail at the end of the hour, which lists them all', async () => {
    const ana = await proven();
    await times(200, () => tell(ana));
    await tell(ana, 'second_factor_on');
    await tell(ana, 'email_asked_for');
    expect(await mailsTo(shop, ana.email)).toHaveLength(noticesAnHour);
    const waiting = (await noticesTo(ana)).filter(({ state }) => state === 'waiting');
    expect(waiting).toHaveLength(1);
    const { rows } = await shop.pool.query<{ wait: number }>(
      `select extract(epoch from run_at - now())::float as wait from graphile_worker.jobs where key = $1`,
      [`mail:${waiting[0]?.id}`],
    );
    expect(rows[0]?.wait).toBeGreaterThan(3_500);
    expect(rows[0]?.wait).toBeLessThanOrEqual(3_600);
    await hourIsOver();
    const sent = await mailsTo(shop, ana.email);
    expect(sent).toHaveLength(noticesAnHour + 1);
    const [collected = ''] = sent.filter((mail) => mail.includes('Subject: Several changes to your account'));
    expect(collected).toMatch(
      /The password for your account was changed\. \(195 times, most recently \w{3} \d{1,2}, 20\d\d, \d{1,2}:\d\d [AP]M ET\)/,
    );
    expect(collected).toMatch(/Two-step login was turned on for your account\. \(\w{3} \d/);
    expect(collected).toContain('Someone asked to change the email on your account');
  });

  test('about a replaced address are never delayed: that mail is the last, and says what to do', async () => {
    const ana = await proven();
    await times(noticesAnHour + 1, () => tell(ana));
    await tell(ana, 'email_changed');
    const sent = await mailsTo(shop, ana.email);
    expect(sent).toHaveLength(noticesAnHour + 1);
    expect(sent.at(-1)).toContain('contact us right away');
  });

  test('that are combined name every admin who was made a customer', async () => {
    const [owner, ...admins] = await Promise.all(Array.from({ length: 4 }, proven));
    await times(noticesAnHour, () => tell(owner!));
    const now = shop.clock.now();
    const person = { ...owner!, emailProvenAt: now };
    for (const { id } of admins) {
      const notice = { what: 'admin_demoted', demotedId: id, byId: id } as const;
      await transact(shop.db, (tx) => sendNotice(tx, person, notice, now));
    }
    await hourIsOver();
    const collected = (await mailsTo(shop, owner!.email)).at(-1) ?? '';
    expect(collected).toContain('An admin was changed to a customer by another admin. (3 times');
    for (const { id } of admins) expect(collected).toContain(`/admin/view/user/${id}`);
  });

  test('are sent one by one again as the hour passes, five in any hour', async () => {
    const ana = await proven();
    await times(3, () => tell(ana));
    shop.clock.advance(40 * 60_000);
    await times(3, () => tell(ana));
    expect(await mailsTo(shop, ana.email)).toHaveLength(5);
    shop.clock.advance(21 * 60_000);
    await times(3, () => tell(ana));
    expect(await mailsTo(shop, ana.email)).toHaveLength(8);
    await tell(ana);
    expect(await mailsTo(shop, ana.email)).toHaveLength(8);
  });

  test('that arrive while the combined one is being sent go into another', async () => {
    const ana = await proven();
    await times(6, () => tell(ana));
    await hourIsOver();
    expect(await mailsTo(shop, ana.email)).toHaveLength(6);
    await times(2, () => tell(ana)); // the shop's clock has not moved, so its hour is still the same
    await hourIsOver();
    const sent = await mailsTo(shop, ana.email);
    expect(sent).toHaveLength(7);
    expect(sent.filter((mail) => mail.includes('(2 times'))).toHaveLength(1);
  });

  test('are counted by address, however it is spelled, also when many are sent at the same time', async () => {
    const [ana, ben] = [await proven(), await proven()];
    const spellings = [ana.email, ana.email.toUpperCase()];
    await Promise.all(Array.from({ length: 20 }, (_, at) => tell({ id: ana.id, email: spellings[at % 2] ?? '' })));
    const rows = [...(await noticesTo(ana)), ...(await noticesTo({ ...ana, email: ana.email.toUpperCase() }))];
    const told = rows.map(({ facts }) => (facts as { what: string }).what);
    expect(told.filter((what) => what !== 'several')).toHaveLength(5);
    expect(told.filter((what) => what === 'several')).toHaveLength(1);
    await tell(ben);
    expect(await mailsTo(shop, ben.email)).toHaveLength(1);
  });

  test('leave the mails of orders alone', async () => {
    const { orderId, as } = await paidOrder(shop);
    await times(7, () => tell({ id: as.userId, email: as.email }));
    await mailsTo(shop, as.email);
    expect(await mailsOf(shop, orderId)).toMatchObject([{ kind: 'order_confirmation', state: 'sent' }]);
  });

  test('are no longer counted after a day', async () => {
    await tell(await proven());
    shop.clock.advance(25 * 3_600_000);
    await shop.jobs.deleteOldRows();
    expect((await shop.pool.query('select * from notice_counts')).rows).toEqual([]);
  });
});
