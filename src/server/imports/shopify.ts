/** Product exports of Shopify. */
export const shopifyColumns: ReadonlyMap<string, string> = new Map();
export const isShopify = (_names: ReadonlySet<string>): boolean => false;
