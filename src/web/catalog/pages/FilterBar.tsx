import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '../../../shared/contract';
import { deferMenu } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import styles from './FilterBar.module.css';
import { type FilterName, isFiltered, type ListSearch, withFilter } from '../core/listSearch';

const FilterMenu = deferMenu(async () => (await import('./FilterMenu')).FilterMenu);

const chips = [
  { name: 'heat', label: 'Heat', options: 'heatLevels' },
  { name: 'origin', label: 'Origin', options: 'origins' },
  { name: 'allergens', label: 'Allergens', options: 'allergens' },
] as const satisfies { name: FilterName; label: string; options: keyof Schema<'Facets'> }[];

interface Props {
  search: ListSearch;
  /** The category's filter values; a filter without values gets no chip. */
  facets: Schema<'Facets'>;
}

/** A chip for each filter; the chosen values are in the page's URL. */
export function FilterBar({ search, facets }: Props) {
  const navigate = useNavigate();
  const show = (next: ListSearch) => void navigate({ to: '.', search: { ...next }, resetScroll: false });
  return (
    <fieldset className={styles['chips']} aria-label="Filters">
      {chips.map(({ name, label, options }) => {
        const chosen: readonly (string | number)[] = search[name] ?? [];
        // chosen values can always be removed, even unknown ones
        const all = [...new Set([...facets[options], ...chosen])];
        if (all.length === 0) return null;
        return (
          <FilterMenu
            key={name}
            name={name}
            label={label}
            options={all}
            chosen={chosen}
            onChoose={(value, isOn) => show(withFilter(search, name, value, isOn))}
            className={`${styles['chip']} ${chosen.length > 0 ? styles['on'] : ''}`}
          >
            {label} {chosen.length > 0 && chosen.length}
            <Icon name="chevronDown" size={16} />
          </FilterMenu>
        );
      })}
      {isFiltered(search) && (
        <button type="button" className={styles['chip']} onClick={() => show({})}>
          Clear filters
          <Icon name="cross" size={16} />
        </button>
      )}
    </fieldset>
  );
}
