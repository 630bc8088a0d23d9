import type { Schema } from './contract';

/** The shop's name until the owner changes it, and the description for search engines. */
export const shopName = 'Savory, Seasoning & Spices';
export const shopDescription =
  'A Gambian-owned shop for savory seasonings and spices. Browse, fill your cart, and get it all delivered to your door.';

/** Name, contact data and time zone until the owner changes them. */
export const defaultShop: Schema<'Shop'> = {
  name: shopName,
  contactEmail: 'hello@example.com',
  contactPhone: '(555) 010-0142',
  timeZone: 'America/New_York',
  units: 'us',
};
