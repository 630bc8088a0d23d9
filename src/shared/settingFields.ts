/**
 * The settings that the owner decides, each defined once. Their form and sentences, defaults, what everybody reads, the
 * audit log's words, the fields of the settings page and what an admin reads there come from here.
 * `openapi/settings.yaml` and the column in `src/server/db/schema/shop.ts` are written by hand;
 * tests/shared/settingFields.test.ts holds them together. Rule: docs/rules/back-office.md, Settings
 */
import { defaultShop } from './brand';
import type { Schema } from './contract';

export type Settings = Schema<'Settings'>;
export type SettingName = keyof Settings;
type PublicName = Exclude<keyof Schema<'Shop'>, 'checkout'>;
/** A tab of the settings page. Delivery and Sales Tax have lists of their own. */
export type SettingSection = 'General';

type Common = {
  section: SettingSection;
  /** What its field in the form is called. */
  label: string;
  /** What it is called for those who only read it, and in the audit log, where that is not the label. */
  factLabel?: string;
  hint?: string;
  /** It was added later: a client that does not know it leaves it out, and it stays as it is. */
  isOptional?: true;
  /** Everybody reads it, not only staff. */
  isPublic?: true;
  /** What it is called there, where that is not its own name. */
  publicName?: PublicName;
  /** The audit log says that it changed, but not to what. */
  isPersonal?: true;
  /** It is no column of `shop_settings`: src/server/auth/core/requiredActions.ts reads and writes it. */
  isKeptWithLogins?: true;
};
export type SettingField = Common &
  (
    | { kind: 'text' | 'email'; default: string; maxLength: number }
    | { kind: 'phone' | 'timeZone'; default: string; maxLength: number; sentence: string }
    | { kind: 'flag'; default: boolean; words: readonly [yes: string, no: string] }
    | {
        /** A whole number. */
        kind: 'number';
        default: number;
        least: number;
        most: number;
        sentence: string;
        /** Follows the number where it is read: 'or fewer'. */
        unit?: string;
        /** Stands there instead of the largest number. */
        mostInWords?: string;
      }
  );

const fields = {
  shopName: {
    kind: 'text',
    section: 'General',
    label: 'Shop name',
    default: defaultShop.name,
    maxLength: 80,
    isPublic: true,
    publicName: 'name',
  },
  contactEmail: {
    kind: 'email',
    section: 'General',
    label: 'Contact email',
    default: defaultShop.contactEmail,
    maxLength: 254,
    isPublic: true,
    isPersonal: true,
  },
  contactPhone: {
    kind: 'phone',
    section: 'General',
    label: 'Contact phone',
    default: defaultShop.contactPhone,
    maxLength: 40,
    sentence: 'Please enter a phone number',
    isPublic: true,
    isPersonal: true,
  },
  timeZone: {
    kind: 'timeZone',
    section: 'General',
    label: 'Time zone',
    hint: 'Its days are the days of the dashboard and of all lists.',
    default: defaultShop.timeZone,
    maxLength: 60,
    sentence: 'Please choose a time zone from the list',
    isPublic: true,
  },
  secondFactorOfStaff: {
    kind: 'flag',
    section: 'General',
    label: 'Require two-step login of staff',
    factLabel: 'Two-step login of staff',
    hint: 'Signs out at once everybody who works here and has none. You need one of your own first.',
    default: false,
    words: ['Required', 'Not required'],
    isKeptWithLogins: true,
  },
  lowStockThreshold: {
    kind: 'number',
    section: 'General',
    label: 'Low stock',
    hint: "A product with so many units or fewer is on the list of low stock. 'Only N left' in the shop stays at 10.",
    default: 10,
    least: 0,
    most: 1000,
    sentence: 'Please enter a whole number of units from 0 to 1000',
    unit: 'or fewer',
  },
  newCustomerUnits: {
    kind: 'number',
    section: 'General',
    label: 'Units for a new customer',
    hint: 'Who never paid an order here can order at most so many units of one product. 99 is no limit.',
    default: 99,
    least: 1,
    most: 99,
    sentence: 'Please enter a whole number of units from 1 to 99',
    unit: 'or fewer of a product',
    mostInWords: 'No limit',
    isOptional: true,
  },
  newCustomerLimits: {
    kind: 'flag',
    section: 'General',
    label: 'Limit customers who never paid',
    hint: 'Customers who share a network and never paid can reserve at most half of a product together. Turn this off if many of your customers share a network.',
    default: true,
    words: ['On', 'Off'],
    isOptional: true,
  },
} as const satisfies { [Name in SettingName]: SettingField & { default: Settings[Name] } };

export type FieldOf<Name extends SettingName> = (typeof fields)[Name];
/** The settings that have a column of their own. */
export type StoredSettings = {
  [Name in SettingName as FieldOf<Name> extends { isKeptWithLogins: true } ? never : Name]: Settings[Name];
};

/** By name, in their order on the page. */
export const settingFields: Readonly<Record<SettingName, SettingField>> = fields;
export const settingNames = Object.keys(fields) as SettingName[];

/** For a time zone that Intl or the database does not know. */
export const unknownTimeZone: string = fields.timeZone.sentence;

/** What it is called in the answer that everybody reads. */
export const publicNameOf = (name: SettingName): string => settingFields[name].publicName ?? name;

/** What it is called where it is read and not changed. */
export const factLabelOf = (name: SettingName): string => settingFields[name].factLabel ?? settingFields[name].label;

export const settingNamesOf = (section: SettingSection): SettingName[] =>
  settingNames.filter((name) => settingFields[name].section === section);
