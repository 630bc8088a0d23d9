import type { Schema } from './contract';

/** The shop's name until its owner chooses another one, and what it says of itself where nobody has opened it yet. */
export const shopName = 'Savory, Seasoning & Spices';
export const shopDescription =
  'A Gambian-owned shop for savory seasonings and spices. Choose by category, keep a cart, and have it all at your door.';

/** The shop as it comes, with how its owner can be reached. */
export const defaultShop: Schema<'Shop'> = {
  name: shopName,
  contactEmail: 'hello@example.com',
  contactPhone: '(555) 010-0142',
};

/** @returns the address of a link that calls `phone`; ten digits are a number of the United States */
export function telephoneLink(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  if (phone.trim().startsWith('+')) return `tel:+${digits}`;
  return digits.length === 10 ? `tel:+1${digits}` : `tel:${digits}`;
}
