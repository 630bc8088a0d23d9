import type { Connection } from '../db/transact';
import { readShopSettings } from '../settings/service';
import type { Sender } from './render';

/** What stands under every letter: the shop as the owner has named it by the time it is sent. */
export async function findSender(connection: Connection): Promise<Sender> {
  const { shopName: name, contactEmail: email, contactPhone: phone } = await readShopSettings(connection);
  return { name, email, phone };
}
