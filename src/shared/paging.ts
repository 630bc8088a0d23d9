/** Lists have ten rows per page. Rule: docs/rules/screens.md, Paging */
export const pageSize = 10;

/** A page number, or a gap between numbers that are not adjacent. */
export type PageMark = number | 'gap before' | 'gap after';

/**
 * Which page numbers to show: all up to seven pages, otherwise the first, the last and two on each side of the current
 * one.
 * @param page the current page, from 1
 */
export function pageMarks(page: number, totalPages: number): PageMark[] {
  if (totalPages <= 7) return range(1, totalPages);
  const from = Math.max(2, page - 1);
  const to = Math.min(totalPages - 1, page + 1);
  return [
    1,
    ...(from > 2 ? (['gap before'] as const) : []),
    ...range(from, to),
    ...(to < totalPages - 1 ? (['gap after'] as const) : []),
    totalPages,
  ];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** @returns the page number in `?page=`, from 1; 1 for anything that is not a page number */
export function parsePage(value: unknown): number {
  const page = Number(value);
  return Number.isSafeInteger(page) && page > 1 ? page : 1;
}

/** @returns '11–18 of 18 products', or '7 products' when one page has all @param page from 1 */
export function productsInView(page: number, { content, totalElements }: Counted): string {
  const all = `${totalElements} ${totalElements === 1 ? 'product' : 'products'}`;
  if (content.length === totalElements) return all;
  const first = (page - 1) * pageSize;
  return `${first + 1}–${first + content.length} of ${all}`;
}
type Counted = { content: readonly unknown[]; totalElements: number };

/** @returns whether the list ends before this page @param page from 1 */
export function isBeyond(page: number, { content }: { content: readonly unknown[] }): boolean {
  return page > 1 && content.length === 0;
}
