/** Addresses of products in the shop that they were imported from. Rule: docs/rules/catalog.md, Old addresses */

/**
 * @param link a link to a product, or its path: 'https://old.example/product/Black-Pepper/?ref=1'
 * @returns its path as it is stored, '/product/black-pepper'; undefined when it is not '/products/…' or '/product/…'
 */
export function oldAddressOf(link: string): string | undefined {
  const [, path = ''] = /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/i.exec(link.trim()) ?? [];
  const [, folder = '', encoded = ''] = /^\/(products|product)\/([^/]{1,600})\/?$/i.exec(path) ?? [];
  const name = decoded(encoded);
  return name === undefined ? undefined : storedPath(folder.toLowerCase(), name);
}

/** @param handle of a Shopify product @returns '/products/{handle}', or undefined when no address can end like that */
export const shopifyAddressOf = (handle: string): string | undefined => storedPath('products', handle.trim());

/** @param slug of a WooCommerce product @returns '/product/{slug}', or undefined when no address can end like that */
export const wooAddressOf = (slug: string): string | undefined => storedPath('product', slug.trim());

function storedPath(folder: string, name: string): string | undefined {
  const plain = name.normalize('NFC').toLowerCase();
  const isUsable = plain.length <= 200 && !/^[\s.]*$|[/\\\p{Cc}\p{Cs}]/u.test(plain);
  return isUsable ? `/${folder}/${plain}` : undefined;
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
