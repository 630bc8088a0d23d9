import * as z from './zod';
import { addressFields, requiredText, ruledText, textRules } from './addressForms';
import { deliveryNoteLength, messages } from './checkout';
import { isFullNameRequired } from './required';

/**
 * The delivery address, with the same checks as on registration.
 * Rule: docs/rules/orders-and-payment.md, What an order needs
 */
export const deliveryAddressForm = z.object(addressFields);

/** The request body for placing an order. */
export const newOrderForm = z.object({
  customer: requiredText(120, messages.noCustomer),
  deliveryAddress: deliveryAddressForm,
  deliveryNote: ruledText(textRules(deliveryNoteLength), z.string().trim()).nullish(),
});

/** The dialog 'Add a New Address': the address and the recipient's name. */
export const newAddressForm = z.object({ fullName: requiredText(120, isFullNameRequired), ...addressFields });

export type NewAddress = z.output<typeof newAddressForm>;
export type DeliveryAddress = z.output<typeof deliveryAddressForm>;
