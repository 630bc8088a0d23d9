/** What the owner decides about the shop as a whole, and the sentences that go with it. */
import { defaultShop } from './brand';
import type { Schema } from './contract';

export type Settings = Schema<'Settings'>;

/** Lengths in characters, and the largest numbers. The contract has the same limits. */
export const settingsLimits = {
  shopName: 80,
  contactPhone: 40,
  timeZone: 60,
  lowStockThreshold: 1000,
  newCustomerUnits: 99,
} as const;

/** The settings until the owner changes them. */
export const defaultSettings: Settings = {
  shopName: defaultShop.name,
  contactEmail: defaultShop.contactEmail,
  contactPhone: defaultShop.contactPhone,
  timeZone: defaultShop.timeZone,
  secondFactorOfStaff: false,
  lowStockThreshold: 10,
  newCustomerUnits: settingsLimits.newCustomerUnits,
  newCustomerLimits: true,
};

type Contact = Pick<Settings, 'contactEmail' | 'contactPhone'>;

/** @returns the contact data that is still the example's and that customers see: 'hello@example.com, (555) 010-0142' */
export function exampleContact({ contactEmail, contactPhone }: Contact): string | undefined {
  const known: readonly string[] = [defaultShop.contactEmail, defaultShop.contactPhone];
  return [contactEmail, contactPhone].filter((each) => known.includes(each)).join(', ') || undefined;
}

export const settingsSays = {
  getSettings: { success: 'Settings', failure: 'Failed to fetch settings' },
  updateSettings: { success: 'Settings saved', failure: 'Failed to save settings' },
  getShop: { success: 'Shop' },
  exampleContact: (what: string) => `Customers still see contact data of the example: ${what}`,
  ownerOnly: 'Only the owner changes the settings.',
  timeZoneHint: 'Its days are the days of the dashboard and of all lists.',
  secondFactorHint: 'Signs out at once everybody who works here and has none. You need one of your own first.',
  lowStockHint:
    "A product with so many units or fewer is on the list of low stock. 'Only N left' in the shop stays at 10.",
  unknownTimeZone: 'Please choose a time zone from the list',
  wholeUnits: 'Please enter a whole number of units from 0 to 1000',
  newCustomerHint: 'Who never paid an order here can order at most so many units of one product. 99 is no limit.',
  newCustomerLimitsHint:
    'Customers who share a network and never paid can reserve at most half of a product together. Turn this off if many of your customers share a network.',
  newCustomerUnits: 'Please enter a whole number of units from 1 to 99',
} as const;
