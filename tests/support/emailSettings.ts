/** The mail server in Settings, as its owner sets it. */
import type { Schema } from '../../src/shared/contract';
import { bearer, longPassword, newStaff } from './accounts';
import type { SignedIn } from './auth';
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
