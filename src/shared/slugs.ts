/**
 * @returns a text as a part of a URL: 'domoda-peanut-base' for 'Domoda Peanut Base'. The readable addresses of products
 *   are made from their names, and the names of categories are suggested from their titles.
 */
export const slugOf = (text: string, maxLength = 72): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '');
