/** Staff of a shop of one's own who chose their emails, and the mail server that delivers them. */
import { and, eq, inArray } from 'drizzle-orm';
import { expect } from 'vitest';
import { lastDue } from '../../src/server/core/lastDue';
import { dailyMailOrders, mails, staffMails, type MailKind } from '../../src/server/db/schema/tables';
import type { Schema } from '../../src/shared/contract';
import { defaultSettings } from '../../src/shared/settings';
import { startMailServer } from './mailServer';
import { wordsOf } from './mailWords';
import { openOwnShop, type Person } from './shop';

const dayMs = 86_400_000;
const usual = { newOrder: 'off', lowStock: false, newMessage: false } as const;

export async function openShopWithStaff() {
  const shop = await openOwnShop();
  const server = await startMailServer();
  const removeServer = () => shop.pool.query(`delete from settings where name = 'mail_server'`);
  const choose = (as: Person, choice: Partial<Schema<'StaffMails'>>) =>
    shop.call('setStaffMails', { as, path: { userId: as.userId }, body: { ...usual, ...choice } });
  return {
    shop,
    choose,
    /** Sets the server in Settings. It needs no login. */
    async setServer(): Promise<void> {
      const value = {
        host: '127.0.0.1',
        port: server.port,
        security: 'none',
        sender: 'shop@example.com',
        password: null,
      };
      await shop.pool.query(`insert into settings (name, value) values ('mail_server', $1)`, [JSON.stringify(value)]);
    },
    async staffWith(choice: Partial<Schema<'StaffMails'>>, role: 'ROLE_ADMIN' | 'ROLE_OWNER' = 'ROLE_ADMIN') {
      const as = await shop.signIn({ role });
      const chosen = { status: 200, data: { staffMails: { ...usual, ...choice } } };
      expect(await choose(as, choice)).toMatchObject(chosen);
      return as;
    },
    mailsTo: ({ userId }: Person, ...kinds: MailKind[]) =>
      shop.db
        .select()
        .from(mails)
        .where(and(eq(mails.userId, userId), inArray(mails.kind, kinds))),
    /** The emails that the server received for a person, as text. */
    receivedBy: ({ email }: Person) =>
      server.received.filter(({ to }) => to.includes(email)).map(({ source }) => wordsOf(source).replaceAll('\r', '')),
    /** Moves the clock to the next eight o'clock in the shop's time zone. */
    moveToMorning(): void {
      const now = shop.clock.now();
      const next = lastDue(new Date(now.getTime() + dayMs), 8, defaultSettings.timeZone);
      shop.clock.advance(next.getTime() - now.getTime() + 1000);
    },
    /** After each test: no server, no choices, and no email that waits. */
    async tidy(): Promise<void> {
      await shop.db.update(mails).set({ state: 'cancelled' }).where(eq(mails.state, 'waiting'));
      await shop.db.delete(dailyMailOrders);
      await shop.db.delete(staffMails);
      await removeServer();
    },
    async close(): Promise<void> {
      await server.close();
      await shop.close();
    },
  };
}
