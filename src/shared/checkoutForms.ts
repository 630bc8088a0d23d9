import * as z from './zod';
import { addressFields, requiredText, ruledText, textRules } from './addressForms';
import { deliveryNoteLength, messages } from './checkout';

/**
 * The delivery address, with the rules of the registration form.
 * Rule: docs/rules/orders-and-payment.md, What an order needs
 */
export const deliveryAddressForm = z.object(addressFields);

/** What placing an order sends. */
export const newOrderForm = z.object({
  customer: requiredText(120, messages.noCustomer),
  deliveryAddress: deliveryAddressForm,
  deliveryNote: ruledText(textRules(deliveryNoteLength), z.string().trim()).nullish(),
});

/** The dialog 'Add a New Address': the address with the name of the one who receives it. */
export const newAddressForm = z.object({ fullName: requiredText(120), ...addressFields });

export type NewAddress = z.output<typeof newAddressForm>;
export type DeliveryAddress = z.output<typeof deliveryAddressForm>;
