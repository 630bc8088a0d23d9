/** The mail server in Settings, as its owner sets it. */
import { eq } from 'drizzle-orm';
import { mails } from '../../src/server/db/schema/tables';
import type { Schema } from '../../src/shared/contract';
import { bearer, longPassword, newStaff } from './accounts';
import type { SignedIn } from './auth';
import { startMailServer, type MailServer, type NewMailServer } from './mailServer';
import type { TestShop } from './shop';

export type NewServer = Partial<Schema<'NewEmailSettings'>>;

/** Port 9 takes no connections. */
export const someServer = {
  host: '127.0.0.1',
  port: 9,
  security: 'none',
  sender: 'shop@example.com',
  currentPassword: longPassword,
} as const satisfies NewServer;

export const newOwner = (shop: TestShop) => newStaff(shop, 'ROLE_OWNER');

export const setServer = (shop: TestShop, owner: Pick<SignedIn, 'jwt'>, server: NewServer = {}) =>
  shop.call('setEmailSettings', { headers: bearer(owner), body: { ...someServer, ...server } });

/** As before the owner set a mail server. */
export const forgetServer = (shop: TestShop) =>
  shop.pool.query(`delete from settings where name in ('mail_server', 'mail_server_state')`);

/** Mail servers that owners of the shop set, and what the owner who set the last one sees. Tidy up after each test. */
export function mailServersOf(shop: () => TestShop) {
  const servers: MailServer[] = [];
  let owner: SignedIn;
  return {
    start: async (server: NewMailServer = {}) => {
      const started = await startMailServer(server);
      servers.push(started);
      return started;
    },
    owner: () => owner,
    /** A new owner for each call, since attempts at a password are limited. */
    set: async (server: NewServer) => {
      owner = await newOwner(shop());
      return (await setServer(shop(), owner, { host: 'localhost', ...server })).data.email;
    },
    read: async () =>
      (await shop().call('getEmailSettings', { as: await shop().signIn({ role: 'ROLE_OWNER' }) })).data.email,
    sendTest: (to = 'owner@example.com') => shop().call('sendTestEmail', { headers: bearer(owner), body: { to } }),
    tidy: async () => {
      for (const server of servers.splice(0)) await server.close();
      await forgetServer(shop());
      await shop().db.update(mails).set({ state: 'cancelled' }).where(eq(mails.state, 'waiting'));
    },
  };
}
