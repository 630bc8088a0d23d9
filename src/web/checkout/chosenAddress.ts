import type { NewAddress } from '../../shared/checkoutForms';
import type { Schema } from '../../shared/contract';
import type { findDraft } from '../users/drafts';

/** The recipient and the address. */
export type ChosenAddress = NewAddress;

/** A saved address, by its id, or one typed for this order; `address` is its value at the time of choosing. */
export type Choice = NonNullable<ReturnType<typeof findDraft<'delivery'>>>;

/** The saved addresses of an account, as choices for an order. */
export const savedChoices = ({ fullName, addresses }: Schema<'User'>): (Choice & { savedId: string })[] =>
  addresses.map(({ id, street, city, state, postalCode, company = '', street2 = '', phone = '' }) => ({
    savedId: id,
    address: { fullName, company, street, street2, city, state, postalCode, phone },
  }));

/** The address that the checkout starts with: that of the latest order, otherwise the only one. */
export function usualChoice(account: Schema<'User'>): Choice | undefined {
  const { addresses } = account;
  const usual = addresses.find(({ isLastUsed }) => isLastUsed) ?? (addresses.length === 1 ? addresses[0] : undefined);
  return usual && savedChoices(account).find(({ savedId }) => savedId === usual.id);
}

/** @returns the chosen address as the account has it now; undefined if it was deleted or the account is not loaded */
export function addressOf(choice: Choice | undefined, account: Schema<'User'> | undefined): ChosenAddress | undefined {
  if (!choice?.savedId) return choice?.address;
  return account && savedChoices(account).find(({ savedId }) => savedId === choice.savedId)?.address;
}
