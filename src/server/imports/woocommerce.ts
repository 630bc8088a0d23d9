/** Product exports of WooCommerce. */
export const wooColumns: ReadonlyMap<string, string> = new Map();
export const isWoo = (_names: ReadonlySet<string>): boolean => false;
