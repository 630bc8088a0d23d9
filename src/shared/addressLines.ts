/** An address of the account or of an order. Empty parts may be missing. */
export type PostalAddress = {
  street: string;
  city: string;
  state: string;
  postalCode: string;
} & Partial<Record<CourierPart, string | undefined>>;

export const courierParts = ['company', 'street2', 'phone'] as const;
type CourierPart = (typeof courierParts)[number];

/** @returns the lines below the recipient's name, as on a label; the phone number is the last */
export const addressLines = ({ company, street, street2, city, state, postalCode, phone }: PostalAddress): string[] =>
  [company, street, street2, `${city}, ${state} ${postalCode}`, phone].flatMap((line) => line || []);

/** @returns the parts of the address that are not empty, besides the required ones */
export const courierPartsOf = (address: Partial<Record<CourierPart, string>>): Partial<Record<CourierPart, string>> =>
  Object.fromEntries(courierParts.flatMap((part) => (address[part] ? [[part, address[part]]] : [])));
