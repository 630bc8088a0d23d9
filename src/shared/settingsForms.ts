import * as z from './zod';
import { matches, requiredText, ruledText, textRules } from './addressForms';
import { emailRule } from './authForms';
import { isEmailRequired } from './required';
import {
  settingFields,
  settingNames,
  type FieldOf,
  type SettingField,
  type SettingName,
  type Settings,
} from './settingFields';

/** For text that goes into mail headers, such as the shop's name. */
const inOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

type RuleOf<Name extends SettingName> = z.ZodType<Settings[Name]>;
type Rules = {
  [Name in SettingName]: FieldOf<Name> extends { isOptional: true } ? z.ZodExactOptional<RuleOf<Name>> : RuleOf<Name>;
};

/** The form of the settings page; the rules come from the table of settings. */
export const settingsForm = z.object(
  Object.fromEntries(
    settingNames.map((name) => {
      const field = settingFields[name];
      return [name, field.isOptional ? ruleOf(field).exactOptional() : ruleOf(field)];
    }),
  ) as Rules,
);

function textOf({ label, maxLength, mayBeBlank }: Extract<SettingField, { kind: 'text' | 'lines' }>) {
  if (mayBeBlank) return ruledText(textRules(maxLength), z.string().trim());
  return requiredText(maxLength, `Enter the ${label.toLowerCase()}`);
}

function ruleOf(field: SettingField): z.ZodType {
  switch (field.kind) {
    case 'text':
      return textOf(field).transform(inOneLine);
    case 'lines':
      return textOf(field).transform((text) => text.replaceAll(/\r\n?/g, '\n'));
    case 'email':
      return z.string(isEmailRequired).trim().min(1, { error: isEmailRequired, abort: true }).pipe(emailRule);
    case 'phone':
      return ruledText(
        [...textRules(field.maxLength), [matches(/^$|^\+?[\d ()./-]{3,40}$/), field.sentence]],
        z.string().trim(),
      );
    case 'timeZone':
      return z.string(field.sentence);
    case 'flag':
      return z.boolean();
    case 'choice':
      return z.enum(Object.keys(field.choices), field.sentence);
  }
  const { least, most, sentence } = field;
  return z.number(sentence).int(sentence).min(least, sentence).max(most, sentence);
}
