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
  getSettings: { success: 'Settings', failure: 'Failed to fetch settings' },
  updateSettings: { success: 'Settings saved', failure: 'Failed to save settings' },
  getShop: { success: 'Shop' },
  exampleContact: (what: string) => `Customers still see contact data of the example: ${what}`,
  ownerOnly: 'Only the owner changes the settings.',
} as const;
