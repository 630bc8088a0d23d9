import { useEffect } from 'react';

/**
 * Goes to the last page if the URL's page is beyond it, for example after rows were deleted.
 * @param totalPages undefined while it isn't known
 * @returns whether it is beyond
 */
export function useExistingPage(
  page: number,
  totalPages: number | undefined,
  goTo: (page: number) => unknown,
): boolean {
  const last = totalPages === undefined ? page : Math.max(1, totalPages);
  useEffect(() => {
    if (page > last) goTo(last);
    // oxlint-disable-next-line react/exhaustive-deps -- `goTo` is a new function at each render
  }, [page, last]);
  return page > last;
}
