import * as z from './zod';
import { addressFields, byTerritories, requiredText, ruledText, textRules } from './addressForms';
import type { Schema } from './contract';
import { deliveryNoteLength, messages } from './checkout';
import { isFullNameRequired } from './required';

/**
 * The delivery address, with the same checks as on registration.
 * Rule: docs/rules/orders-and-payment.md, What an order needs
 */
export const deliveryAddressForm = byTerritories((shop) => z.object(addressFields(shop)));

/** The request body for placing an order. */
export const newOrderForm = byTerritories((shop) =>
  z.object({
    customer: requiredText(120, messages.noCustomer),
    deliveryAddress: deliveryAddressForm(shop),
    deliveryNote: ruledText(textRules(deliveryNoteLength), z.string().trim()).nullish(),
  }),
);

/** The dialog 'Add a New Address': the address and the recipient's name. */
export const newAddressForm = byTerritories((shop) =>
  z.object({ fullName: requiredText(120, isFullNameRequired), ...addressFields(shop) }),
);

/** The recipient and the address. A device may have saved one from before it had a company, a second line and a phone. */
export type NewAddress = Schema<'DeliveryAddress'> & { fullName: string };
export type DeliveryAddress = z.output<ReturnType<typeof deliveryAddressForm>>;
