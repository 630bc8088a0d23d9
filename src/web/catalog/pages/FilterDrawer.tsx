import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { countryOf } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { countOf } from '../../../shared/counts';
import { filterMessages, heatWords } from '../../../shared/productFilters';
import { Button } from '../../ui/Button';
import { Drawer } from '../../ui/Drawer';
import { Icon } from '../../ui/Icon';
import { useSinglePress } from '../../ui/useSinglePress';
import { HeatDots } from '../core/HeatDots';
import { countFilters, listSearch, type ListSearch } from '../core/listSearch';
import { filterCountsQuery } from './filterCounts';
import styles from './FilterDrawer.module.css';
import { useShowList } from './useShowList';

interface Props {
  categoryName: string;
  search: ListSearch;
  facets: Schema<'Facets'>;
  opener: RefObject<HTMLElement | null>;
  /** Called once it is closed. */
  onClose: () => void;
}

/** All filters of a list. They apply together, when they are shown; each row says how many products it would leave. */
export function FilterDrawer({ categoryName, search, facets, opener, onClose }: Props) {
  const { history } = useRouter();
  const showList = useShowList();
  const leave = useSinglePress();
  useOwnEntry(onClose);
  const [draft, setDraft] = useState(search);
  const { sort, heat = [], origin = [], allergens = [], inStock } = draft;
  const { data: counts } = useQuery({ ...filterCountsQuery(categoryName, draft), placeholderData: (last) => last });
  const change = (changed: ListSearch) => setDraft(listSearch({ ...draft, ...changed }));
  const clear = () => setDraft(listSearch({ sort }));
  const isEmpty = counts?.products === 0;
  const foot = isEmpty ? (
    <Button size="lg" onClick={clear}>
      {filterMessages.none}
    </Button>
  ) : (
    <div className={styles['foot']}>
      <Button size="lg" variant="ghost" aria-disabled={countFilters(draft) === 0} onClick={clear}>
        {filterMessages.clear}
      </Button>
      <Button size="lg" onClick={() => leave(() => showList(draft, { replace: true }))}>
        {filterMessages.show(counts ? countOf(counts.products, 'product') : 'products')}
      </Button>
    </div>
  );
  return (
    <Drawer
      title={filterMessages.title}
      isSheet
      opener={opener}
      onClose={() => leave(() => history.back())}
      foot={foot}
    >
      <Group title={filterMessages.heat}>
        {known(facets.heatLevels, heat).map((level) => (
          <Row
            key={level}
            isOn={heat.includes(level)}
            onChange={(isOn) => change({ heat: toggled(heat, [level], isOn) })}
            word={heatWords[level] ?? ''}
            dots={level}
            leaves={counts?.heatLevels[facets.heatLevels.indexOf(level)]}
          />
        ))}
      </Group>
      <Group title={filterMessages.allergens}>
        {known(facets.allergens, allergens).map((allergen) => (
          <Row
            key={allergen}
            isOn={allergens.includes(allergen)}
            onChange={(isOn) => change({ allergens: toggled(allergens, [allergen], isOn) })}
            word={filterMessages.without(allergen)}
            leaves={counts?.allergens[facets.allergens.indexOf(allergen)]}
          />
        ))}
      </Group>
      <Group title={filterMessages.origin}>
        {countriesOf(known(facets.origins, origin)).map(([country, origins]) => (
          <Row
            key={country}
            isOn={origins.some((each) => origin.includes(each))}
            onChange={(isOn) => change({ origin: toggled(origin, origins, isOn) })}
            word={country}
            leaves={counts && sumOf(origins.map((each) => counts.origins[facets.origins.indexOf(each)] ?? 0))}
          />
        ))}
      </Group>
      <Group title={filterMessages.availability}>
        <Row
          isOn={inStock === true}
          onChange={(isOn) => change({ inStock: isOn || undefined })}
          word={filterMessages.inStock}
          leaves={counts?.inStock}
        />
      </Group>
    </Drawer>
  );
}

/**
 * Gives the open filters an entry in the history, so that Back closes them.
 * @param onClose called when the entry is left, by Back or by showing another selection
 */
function useOwnEntry(onClose: () => void): void {
  const navigate = useNavigate();
  const isHere = useLocation({ select: ({ state }) => state.isFiltering === true });
  const wasHere = useRef(false);
  useEffect(() => {
    void navigate({ to: '.', search: (search) => search, state: { isFiltering: true }, resetScroll: false });
  }, [navigate]);
  useEffect(() => {
    if (wasHere.current && !isHere) onClose();
    wasHere.current = isHere;
  }, [isHere, onClose]);
}

/** The category's values, and chosen ones that it doesn't have: they can always be removed. */
const known = <Value,>(values: readonly Value[], chosen: readonly Value[]): Value[] => [
  ...new Set([...values, ...chosen]),
];

const toggled = <Value,>(chosen: readonly Value[], values: readonly Value[], isOn: boolean): Value[] => [
  ...chosen.filter((each) => !values.includes(each)),
  ...(isOn ? values : []),
];

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** @returns each country with its origins, from A to Z */
function countriesOf(origins: readonly string[]): [country: string, origins: string[]][] {
  const countries = new Map<string, string[]>();
  for (const origin of origins) countries.set(countryOf(origin), [...(countries.get(countryOf(origin)) ?? []), origin]);
  return [...countries].toSorted(([one], [other]) => one.localeCompare(other, 'en-US'));
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles['group']}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface RowProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  word: string;
  dots?: number;
  /** How many products it would leave; undefined while unknown. */
  leaves: number | undefined;
}

/** A row that would leave nothing is not shown. */
function Row({ isOn, onChange, word, dots, leaves }: RowProps) {
  if (leaves === 0 && !isOn) return null;
  return (
    <label className={styles['row']}>
      <input type="checkbox" className="sr-only" checked={isOn} onChange={() => onChange(!isOn)} />
      <span className={styles['mark']} aria-hidden="true">
        {isOn && <Icon name="check" size={15} />}
      </span>
      <span className="first-cap">{word}</span>
      {dots !== undefined && <HeatDots level={dots} />}
      {leaves !== undefined && <span className={`tabular ${styles['leaves']}`}>{leaves}</span>}
    </label>
  );
}
