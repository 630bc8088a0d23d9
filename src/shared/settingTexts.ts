/** Formats settings (settingFields.ts) for display, and selects the public ones. */
import type { Schema } from './contract';
import { publicNameOf, settingFields, settingNames, type SettingField, type StoredSettings } from './settingFields';

/** @returns the value for display: 'Not required', '10 or fewer', 'No limit', 'Ounces and pounds' */
export function settingInWords(field: SettingField, value: unknown): string {
  if (field.kind === 'flag') return field.words[value === true ? 0 : 1];
  if ((field.kind === 'text' || field.kind === 'lines') && value === '') return 'None';
  if (field.kind === 'choice') return field.choices[String(value)] ?? String(value);
  if (field.kind !== 'number') return String(value);
  if (field.mostInWords !== undefined && value === field.most) return field.mostInWords;
  return [String(value), field.unit].filter(Boolean).join(' ');
}

type PublicSettings = Omit<Schema<'Shop'>, 'checkout' | 'pages'>;

/** The public settings of the shop. */
export function publicSettings(settings: StoredSettings): PublicSettings {
  const values: Readonly<Record<string, unknown>> = settings;
  const isShown = ({ isPublic, isOmittedAtDefault, default: usual }: SettingField, value: unknown) =>
    isPublic && !(isOmittedAtDefault && value === usual);
  const publicNames = settingNames.filter((name) => isShown(settingFields[name], values[name]));
  return Object.fromEntries(publicNames.map((name) => [publicNameOf(name), values[name]])) as PublicSettings;
}
