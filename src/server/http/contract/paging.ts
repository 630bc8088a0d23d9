export type PageRequest = { page: number; size: number };

/** Wraps one page as the contract defines. @param request.page from 0 */
export function presentPage<Item>(content: Item[], totalElements: number, { page, size }: PageRequest) {
  const totalPages = Math.ceil(totalElements / size);
  return { content, pageable: { pageNumber: page, totalPages }, totalPages, totalElements };
}
