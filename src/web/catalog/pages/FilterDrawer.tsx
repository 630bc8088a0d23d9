import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { countryOf, formLabels } from '../../../shared/catalog';
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
  const { data: counts } = useQuery({ ...filterCountsQuery(categoryName, draft), placeholderData: (last) => last });
  const change = (changed: ListSearch) => setDraft(listSearch({ ...draft, ...changed }));
  const clear = () => setDraft(listSearch({ sort: draft.sort }));
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
      <Groups facets={facets} counts={counts} draft={draft} onChange={change} />
    </Drawer>
  );
}

interface GroupsProps {
  facets: Schema<'Facets'>;
  /** Undefined until they are counted. */
  counts: Schema<'FilterCounts'> | undefined;
  draft: ListSearch;
  onChange: (changed: ListSearch) => void;
}

function Groups({ facets, counts, draft, onChange }: GroupsProps) {
  const { heat = [], origin = [], form = [], allergens = [], onSale, inStock } = draft;
  return (
    <>
      <Values
        title={filterMessages.heat}
        values={facets.heatLevels}
        chosen={heat}
        leaves={counts?.heatLevels}
        wordOf={(level) => heatWords[level] ?? ''}
        hasDots
        onChange={(chosen) => onChange({ heat: chosen })}
      />
      <Values
        title={filterMessages.allergens}
        values={facets.allergens}
        chosen={allergens}
        leaves={counts?.allergens}
        wordOf={filterMessages.without}
        onChange={(chosen) => onChange({ allergens: chosen })}
      />
      <Group title={filterMessages.origin}>
        {countriesOf(known(facets.origins, origin)).map(([country, origins]) => (
          <Row
            key={country}
            isOn={origins.some((each) => origin.includes(each))}
            onChange={(isOn) => onChange({ origin: toggled(origin, origins, isOn) })}
            word={country}
            leaves={counts && sumOf(origins.map((each) => counts.origins[facets.origins.indexOf(each)] ?? 0))}
          />
        ))}
      </Group>
      <Values
        title={filterMessages.form}
        values={facets.forms ?? []}
        chosen={form}
        leaves={counts?.forms}
        wordOf={(each) => formLabels[each]}
        onChange={(chosen) => onChange({ form: chosen })}
      />
      <Group title={filterMessages.price}>
        {(facets.onSale ?? onSale) && (
          <Row
            isOn={onSale === true}
            onChange={(isOn) => onChange({ onSale: isOn || undefined })}
            word={filterMessages.onSale}
            leaves={counts?.onSale}
          />
        )}
      </Group>
      <Group title={filterMessages.availability}>
        <Row
          isOn={inStock === true}
          onChange={(isOn) => onChange({ inStock: isOn || undefined })}
          word={filterMessages.inStock}
          leaves={counts?.inStock}
        />
      </Group>
    </>
  );
}

interface ValuesProps<Value extends string | number> {
  title: string;
  /** The values that the category has. */
  values: readonly Value[];
  chosen: readonly Value[];
  /** How many products each of the values would leave; undefined while unknown. */
  leaves: readonly number[] | undefined;
  wordOf: (value: Value) => string;
  hasDots?: boolean;
  onChange: (chosen: Value[]) => void;
}

/** A filter by the values of a fact, with a row for each. */
function Values<Value extends string | number>(props: ValuesProps<Value>) {
  const { title, values, chosen, leaves, wordOf, hasDots, onChange } = props;
  return (
    <Group title={title}>
      {known(values, chosen).map((value) => (
        <Row
          key={value}
          isOn={chosen.includes(value)}
          onChange={(isOn) => onChange(toggled(chosen, [value], isOn))}
          word={wordOf(value)}
          {...(hasDots && { dots: Number(value) })}
          leaves={leaves?.[values.indexOf(value)]}
        />
      ))}
    </Group>
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
