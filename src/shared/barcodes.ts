/** Barcodes of products: GTIN-8, UPC-A (12 digits), EAN-13, GTIN-14. */

const lengths: ReadonlySet<number> = new Set([8, 12, 13, 14]);

/** Whether it has a GTIN's length and its last digit is the check digit of the others (GS1 General Specifications, 7.9). */
export function isBarcode(text: string): boolean {
  if (!/^\d+$/.test(text) || !lengths.has(text.length)) return false;
  const sum = text
    .split('')
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}
