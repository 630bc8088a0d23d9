import type { Schema } from './contract';

/** The shop's name until the owner changes it. */
export const shopName = 'Savory, Seasoning & Spices';

/** Name, contact data and time zone until the owner changes them. */
export const defaultShop: Schema<'Shop'> = {
  name: shopName,
  contactEmail: 'hello@example.com',
  contactPhone: '(555) 010-0142',
  timeZone: 'America/New_York',
  units: 'us',
};
