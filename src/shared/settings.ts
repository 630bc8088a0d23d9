/** Defaults and messages of the shop's settings. */
import { defaultShop } from './brand';
import { settingFields, settingNames, type Settings } from './settingFields';

/** The settings until the owner changes them. */
export const defaultSettings = Object.fromEntries(
  settingNames.map((name) => [name, settingFields[name].default]),
) as Settings;

type Contact = Pick<Settings, 'contactEmail' | 'contactPhone'>;

/** @returns the example contact data that customers still see: 'hello@example.com, (555) 010-0142' */
export function exampleContact({ contactEmail, contactPhone }: Contact): string | undefined {
  const known: readonly string[] = [defaultShop.contactEmail, defaultShop.contactPhone];
  return [contactEmail, contactPhone].filter((each) => known.includes(each)).join(', ') || undefined;
}

export const settingsMessages = {
  getSettings: { success: 'Settings', failure: "Couldn't load settings" },
  updateSettings: { success: 'Settings saved', failure: "Couldn't save settings. Try again." },
  setLogo: { success: 'Logo saved', failure: "Couldn't save the logo. Try again." },
  logoHint:
    'In the header, emails, receipts, and as the icon of the installed app. A square PNG without a background looks best. Without a logo, the shop shows its & sign.',
  removeLogo: { success: 'Logo removed', failure: "Couldn't remove the logo. Try again." },
  getShop: { success: 'Shop' },
  exampleContact: (what: string) => `Customers still see the sample contact info: ${what}`,
  ownerOnly: 'Only the owner can change settings.',
  version: (version: string) => `Version ${version}`,
} as const;
