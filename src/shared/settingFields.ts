/**
 * The owner's settings, each defined once. Everything else derives from this table: form and messages, defaults, the
 * public part, audit log labels, and the settings page for owner and admins. `openapi/settings.yaml` and the columns in
 * `src/server/db/schema/shop.ts` are written by hand; tests/shared/settingFields.test.ts keeps them consistent.
 * Rule: docs/rules/back-office.md, Settings
 */
import { defaultShop } from './brand';
import { initialPalette, paletteLabels } from './brandPalettes';
import { defaultTexts } from './brandTexts';
import type { Schema } from './contract';

export type Settings = Schema<'Settings'>;
export type SettingName = keyof Settings;
type PublicName = Exclude<keyof Schema<'Shop'>, 'checkout' | 'pages'>;
/** A page of the settings: src/web/admin/settings/places.ts. */
export type SettingSection = 'General' | 'Brand' | 'Checkout' | 'Staff' | 'Sales tax';

type Common = {
  section: SettingSection;
  /** A second page that has it. */
  alsoIn?: SettingSection;
  /** Label of the form field. */
  label: string;
  /** Label where it is read-only, and in the audit log, if that differs. */
  factLabel?: string;
  hint?: string;
  /** Added later: older clients may omit it, and its value then stays unchanged. */
  isOptional?: true;
  /** Readable by everyone, not only staff. */
  isPublic?: true;
  /** Its name in the public answer, if that differs. */
  publicName?: PublicName;
  /** The public answer leaves it out at its default, which the pages know: they stay as short as they were. */
  isOmittedAtDefault?: true;
  /** The audit log records the change, but not the values. */
  isPersonal?: true;
  /** Not a column of `shop_settings`: src/server/auth/core/requiredActions.ts reads and writes it. */
  isKeptWithLogins?: true;
};
export type SettingField = Common &
  (
    | { kind: 'email'; default: string; maxLength: number }
    | { kind: 'text'; default: string; maxLength: number; mayBeBlank?: true }
    /** Text of several lines. */
    | { kind: 'lines'; default: string; maxLength: number; rows: number; mayBeBlank?: true }
    | { kind: 'phone' | 'timeZone'; default: string; maxLength: number; sentence: string }
    | { kind: 'flag'; default: boolean; words: readonly [yes: string, no: string] }
    | { kind: 'choice'; default: string; choices: Readonly<Record<string, string>>; sentence: string }
    | {
        /** A whole number. */
        kind: 'number';
        default: number;
        least: number;
        most: number;
        sentence: string;
        /** Follows the number where it is displayed: 'or fewer'. */
        unit?: string;
        /** Displayed instead of the largest number. */
        mostInWords?: string;
      }
  );

const fields = {
  shopName: {
    kind: 'text',
    section: 'General',
    alsoIn: 'Brand',
    label: 'Shop name',
    hint: 'In the header, emails, receipts, the installed app, and on the test payment page.',
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
    sentence: 'Enter a phone number',
    isPublic: true,
    isPersonal: true,
  },
  timeZone: {
    kind: 'timeZone',
    section: 'General',
    label: 'Time zone',
    hint: 'Dates in the dashboard and lists use this time zone.',
    default: defaultShop.timeZone,
    maxLength: 60,
    sentence: 'Choose a time zone from the list',
    isPublic: true,
  },
  secondFactorOfStaff: {
    kind: 'flag',
    section: 'Staff',
    label: 'Require two-step login for staff',
    factLabel: 'Two-step login for staff',
    hint: 'Staff without two-step login are logged out right away. Set up yours first.',
    default: false,
    words: ['Required', 'Not required'],
    isKeptWithLogins: true,
  },
  lowStockThreshold: {
    kind: 'number',
    section: 'General',
    label: 'Low stock',
    hint: 'Products at or below this number count as low stock. Customers always see "Only N left" at 10 or fewer.',
    default: 10,
    least: 0,
    most: 1000,
    sentence: 'Enter a whole number of units from 0 to 1,000',
    unit: 'or fewer',
  },
  newCustomerUnits: {
    kind: 'number',
    section: 'Checkout',
    label: 'First-order limit',
    hint: 'The most units of one product a first-time customer can buy. 99 means no limit.',
    default: 99,
    least: 1,
    most: 99,
    sentence: 'Enter a whole number of units from 1 to 99',
    unit: 'or fewer per product',
    mostInWords: 'No limit',
    isOptional: true,
  },
  newCustomerLimits: {
    kind: 'flag',
    section: 'Checkout',
    label: 'Limit customers who never paid',
    hint: "Customers who share a network and haven't paid for an order yet can reserve up to half of a product's stock between them. Turn this off if many of your customers share a network.",
    default: true,
    words: ['On', 'Off'],
    isOptional: true,
  },
  territories: {
    kind: 'flag',
    section: 'Checkout',
    label: 'Ship to U.S. territories and military addresses',
    factLabel: 'U.S. territories and military addresses',
    hint: 'Addresses can be in Puerto Rico, the U.S. Virgin Islands, Guam, American Samoa, the Northern Mariana Islands, and at military addresses (AA, AE, AP). Delivery methods for all states then serve them too.',
    default: false,
    words: ['On', 'Off'],
    isOptional: true,
    isPublic: true,
    isOmittedAtDefault: true,
  },
  units: {
    kind: 'choice',
    section: 'General',
    label: 'Units',
    hint: 'For sizes and unit prices of products with a net weight or volume.',
    default: defaultShop.units,
    choices: { us: 'Ounces and pounds', metric: 'Grams and kilograms' },
    sentence: 'Choose the units',
    isOptional: true,
    isPublic: true,
  },
  bannerTitle: {
    kind: 'text',
    section: 'Brand',
    label: 'Banner title',
    hint: 'The large words of the home page. Leave it as it is to show the shop name.',
    default: defaultShop.name,
    maxLength: 80,
    isOptional: true,
    isPublic: true,
    isOmittedAtDefault: true,
  },
  bannerText: {
    kind: 'text',
    section: 'Brand',
    label: 'Banner text',
    hint: 'One sentence below the banner title.',
    default: defaultTexts.bannerText,
    maxLength: 200,
    mayBeBlank: true,
    isOptional: true,
    isPublic: true,
    isOmittedAtDefault: true,
  },
  aboutText: {
    kind: 'lines',
    section: 'Brand',
    label: 'About Us',
    hint: 'On your home page, and what search engines show. Use Markdown: **bold**, lists, [links](https://example.com).',
    default: defaultTexts.aboutText,
    maxLength: 2000,
    rows: 8,
    isOptional: true,
  },
  palette: {
    kind: 'choice',
    section: 'Brand',
    label: 'Colors',
    hint: 'Of links, buttons, and bands. Each is readable on light and dark screens.',
    default: initialPalette,
    choices: paletteLabels,
    sentence: 'Choose the colors',
    isOptional: true,
    isPublic: true,
    isOmittedAtDefault: true,
  },
  storeAddress: {
    kind: 'lines',
    section: 'Brand',
    label: 'Store address',
    hint: 'On receipts and at the end of emails.',
    default: '',
    maxLength: 300,
    rows: 3,
    mayBeBlank: true,
    isOptional: true,
    isPublic: true,
    isOmittedAtDefault: true,
  },
  collectsNoTax: {
    kind: 'flag',
    section: 'Sales tax',
    label: "We don't collect sales tax",
    factLabel: 'Sales tax',
    default: false,
    words: ['Not collected', 'As set by state'],
    isOptional: true,
  },
} as const satisfies { [Name in SettingName]: SettingField & { default: Settings[Name] } };

export type FieldOf<Name extends SettingName> = (typeof fields)[Name];
/** The settings that are columns of `shop_settings`. */
export type StoredSettings = {
  [Name in SettingName as FieldOf<Name> extends { isKeptWithLogins: true } ? never : Name]: Settings[Name];
};

/** By name, in page order. */
export const settingFields: Readonly<Record<SettingName, SettingField>> = fields;
export const settingNames = Object.keys(fields) as SettingName[];

/** Message for a time zone that Intl or the database does not know. */
export const unknownTimeZone: string = fields.timeZone.sentence;

/** Its name in the public answer. */
export const publicNameOf = (name: SettingName): string => settingFields[name].publicName ?? name;

/** Its label where it is read-only. */
export const factLabelOf = (name: SettingName): string => settingFields[name].factLabel ?? settingFields[name].label;

export const settingNamesOf = (section: SettingSection): SettingName[] =>
  settingNames.filter((name) => [settingFields[name].section, settingFields[name].alsoIn].includes(section));
