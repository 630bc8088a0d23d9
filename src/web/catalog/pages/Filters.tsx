import { type RefObject, Suspense } from 'react';
import type { Schema } from '../../../shared/contract';
import { filterMessages, filtersInWords } from '../../../shared/productFilters';
import chipStyles from '../../ui/Chip.module.css';
import { Icon } from '../../ui/Icon';
import { lazyPart } from '../../ui/lazyPart';
import type { ListSearch } from '../core/listSearch';
import { useShowList } from './useShowList';

const FilterDrawer = lazyPart(() => import('./FilterDrawer'), 'FilterDrawer');

interface Props {
  categoryName: string;
  search: ListSearch;
  facets: Schema<'Facets'>;
  /** Gets the focus when the filters close, or a chip is removed. */
  opener: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onClose: () => void;
}

/** A chip for each filter that is set, which removes it, and the open filters. */
export function Filters({ isOpen, ...props }: Props) {
  const { search, opener } = props;
  const show = useShowList();
  return (
    <>
      {filtersInWords(search).map(({ name, words }) => (
        <button
          key={name}
          type="button"
          className={`${chipStyles['chip']} ${chipStyles['on']}`}
          aria-label={filterMessages.remove(words)}
          onClick={() => {
            opener.current?.focus();
            show({ [name]: undefined });
          }}
        >
          {words}
          <Icon name="cross" size={16} />
        </button>
      ))}
      {isOpen && (
        <Suspense>
          <FilterDrawer {...props} />
        </Suspense>
      )}
    </>
  );
}
