/** @returns '2,206' */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** @returns '1 product', '2,206 products' */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
