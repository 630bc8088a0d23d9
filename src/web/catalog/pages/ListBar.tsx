import { useRef, useState } from 'react';
import { sortLabels } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import chipStyles from '../../ui/Chip.module.css';
import { deferMenu } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import { countFilters, type ListSearch } from '../core/listSearch';
import type * as ListParts from './listParts';

const SortMenu = deferMenu(async () => (await import('./SortMenu')).SortMenu);

interface Props {
  categoryName: string;
  search: ListSearch;
  /** The category's filter values. */
  facets: Schema<'Facets'>;
  /** Undefined until they are loaded. */
  parts: typeof ListParts | undefined;
}

/** Above the list: its filters, its order, and a chip for each filter that is set. All of them are in the page's URL. */
export function ListBar({ parts, ...list }: Props) {
  const { search } = list;
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const count = countFilters(search);
  return (
    <div className={chipStyles['row']}>
      <button
        ref={opener}
        type="button"
        aria-haspopup="dialog"
        className={`${chipStyles['chip']} ${count > 0 ? chipStyles['on'] : ''}`}
        onClick={() => setOpen(true)}
      >
        <Icon name="filters" size={16} />
        Filters {count > 0 && count}
      </button>
      <SortMenu className={chipStyles['chip']} search={search}>
        Sort: {sortLabels[search.sort ?? 'featured']}
        <Icon name="chevronDown" size={16} />
      </SortMenu>
      {parts && <parts.Filters {...list} opener={opener} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </div>
  );
}
