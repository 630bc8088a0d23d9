import * as z from './zod';
import { holdsCardNumber } from './cardNumbers';
import { errorMessages } from './errorMessages';
import { isRequired } from './required';
import { findStateCode, type ShopTerritories, takesState } from './usStates';

/** A check of a text, and the message shown when it fails. */
export type Rule = [isRight: (text: string) => boolean, sentence: string];

/**
 * A text field that reports one message at a time: that of the first broken rule. (zod's own `abort` would also skip
 * the comparison of the two passwords.)
 */
export const ruledText = (rules: readonly Rule[], text = z.string(rules[0]?.[1])) =>
  text.superRefine((value, context) => {
    const broken = rules.find(([isRight]) => !isRight(value));
    if (broken) context.addIssue(broken[1]);
  });

export const isFilled = (text: string) => text !== '';
export const hasAtMost = (length: number) => (text: string) => text.length <= length;
export const hasAtLeast = (length: number) => (text: string) => text.length >= length;
export const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

/** Card numbers belong on the provider's page only; the shop would store and mail them. PCI DSS, SAQ A */
const hasNoCardNumber: Rule = [(text) => !holdsCardNumber(text), "Don't enter a card number here"];

/** PostgreSQL stores no NUL, and an unpaired surrogate would come back as a different character. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);

/** The rules for all typed text; lengths in characters. */
export const textRules = (maxLength: number): Rule[] => [
  [hasAtMost(maxLength), `Use ${maxLength} characters or fewer`],
  [isStorable, errorMessages.notStorable],
  hasNoCardNumber,
];

/** Trimmed text that must not be empty. @param sentence names what is missing */
export const requiredText = (maxLength: number, sentence: string) =>
  ruledText([[isFilled, sentence], ...textRules(maxLength)], z.string(sentence).trim());

const isNoState = (shop: ShopTerritories) =>
  shop.territories ? 'Choose a U.S. state or territory' : 'Choose one of the 50 states or DC';

/** A state of the shop, by code or by name; the result is the code. */
const stateRule = (shop: ShopTerritories, sentence: string) =>
  requiredText(50, sentence).transform((state, context) => {
    const code = findStateCode(state);
    if (code && takesState(code, shop)) return code;
    context.addIssue(isNoState(shop));
    return z.NEVER;
  });

/** A form with an address: the owner's setting `territories` decides which of two it is. */
export function byTerritories<Form>(build: (shop: ShopTerritories) => Form): (shop: ShopTerritories) => Form {
  const [without, including] = [build({}), build({ territories: true })];
  return ({ territories }) => (territories ? including : without);
}

const isPostalCodeRequired = 'Postal Code is required';

/** Five digits, checked in this order: required, length, pattern. ZIP+4 is too long here: pages shorten it first. Rule: docs/rules/accounts.md, Validation */
const postalCodeRule = ruledText(
  [
    [isFilled, isPostalCodeRequired],
    [hasAtLeast(5), 'Postal code must be at least 5 characters'],
    [hasAtMost(5), 'Postal code must be no more than 5 characters'],
    [matches(/^[0-9]+$/), 'Postal code format is numbers only'],
  ],
  z.string(isPostalCodeRequired).trim(),
);

/** The address of a new account. */
export const accountAddress = (shop: ShopTerritories) => ({
  street: requiredText(200, isRequired),
  city: requiredText(100, isRequired),
  state: stateRule(shop, isRequired),
  postalCode: postalCodeRule,
});

const optionalText = (maxLength: number, ...rules: Rule[]) =>
  ruledText([...textRules(maxLength), ...rules], z.string().trim()).default('');

export const isPhoneNumber: Rule = [matches(/^\+?[\d ()./-]{3,40}$/), 'Enter a phone number'];

/** What carriers also print or ask for. Empty if not given. Rule: docs/rules/accounts.md, Addresses */
const courierFields = {
  company: optionalText(100),
  street2: optionalText(200),
  phone: optionalText(40, [(text) => text === '' || isPhoneNumber[0](text), isPhoneNumber[1]]),
};

export const addressFields = (shop: ShopTerritories) => ({
  street: requiredText(200, 'Enter a street address'),
  city: requiredText(100, 'Enter a city'),
  state: stateRule(shop, 'Choose a state'),
  postalCode: postalCodeRule,
  ...courierFields,
});

/** A saved address, added or changed. Rule: docs/rules/accounts.md, Addresses */
export const addressForm = byTerritories((shop) => z.object(addressFields(shop)));
