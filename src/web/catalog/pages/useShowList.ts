import { useNavigate } from '@tanstack/react-router';
import { listSearch, type ListSearch } from '../core/listSearch';

/** @returns changes the selection of the list, shown from its first page without scrolling */
export function useShowList() {
  const navigate = useNavigate();
  return (change: ListSearch, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (shown) => listSearch({ ...shown, ...change, page: undefined }),
      replace,
      resetScroll: false,
    });
}
