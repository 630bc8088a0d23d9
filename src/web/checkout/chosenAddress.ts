import type { NewAddress } from '../../shared/checkoutForms';
import type { Schema } from '../../shared/contract';
import type { findDraft } from '../account/drafts';

/** Who gets the order, and where. */
export type ChosenAddress = NewAddress;

/** A saved address, by its id, or one that was typed for this order; `address` as it was when it was chosen. */
export type Choice = NonNullable<ReturnType<typeof findDraft<'delivery'>>>;

/** The saved addresses of an account, as they can be chosen for an order. */
export const savedChoices = ({ fullName, addresses }: Schema<'User'>): (Choice & { savedId: string })[] =>
  addresses.map(({ id, street, city, state, postalCode }) => ({
    savedId: id,
    address: { fullName, street, city, state, postalCode },
  }));

/** @returns the address that is chosen, as the account has it now; undefined when it has it no more, or is not read */
export function addressOf(choice: Choice | undefined, account: Schema<'User'> | undefined): ChosenAddress | undefined {
  if (!choice?.savedId) return choice?.address;
  return account && savedChoices(account).find(({ savedId }) => savedId === choice.savedId)?.address;
}
