import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { periodLabels } from '../../../shared/dashboard';
import { parseDays, type StaffList } from '../../../shared/staffList';
import chipStyles from '../../ui/Chip.module.css';
import { deferMenu } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import { lazyPart } from '../../ui/lazyPart';
import { AdminIcon } from '../ui/AdminIcon';
import { ExportButton } from './ExportButton';
import { ExportMenu } from './ExportMenu';
import type { Filter } from './tableSearch';
import styles from './Toolbar.module.css';
import type { ListRow, DataTableProps, ListTable } from './useDataTable';

const CustomPeriod = lazyPart(() => import('../period/CustomPeriod'), 'CustomPeriod');

const ActionMenu = deferMenu(async () => (await import('../ui/ActionMenu')).ActionMenu);

/** The list's controls: search, one value of each filter, and on a phone, which has no column heads, the sorting. */
export function Toolbar<Row extends ListRow>(props: DataTableProps<Row> & { table: ListTable<Row> }) {
  const { table, search, filters = [], chips, tools, readFile } = props;
  const [{ q, filters: set }, change, { searchLabel, searchHint, file }] = search;
  const sortable = table.getAllColumns().filter((column) => column.getCanSort());
  const isForPhones = !searchLabel && filters.length === 0 && !tools && !file;
  if (isForPhones && sortable.length === 0) return null;
  return (
    <div className={`${styles['bar']} ${isForPhones ? styles['phone'] : ''}`}>
      {searchLabel && (
        <SearchBox
          label={searchLabel}
          hint={searchHint ?? searchLabel}
          value={q}
          onSearch={(text) => change({ q: text }, { replace: q !== '' })}
        />
      )}
      {filters.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          value={set[filter.name]}
          onChange={(value) => change({ filters: { [filter.name]: value } })}
        />
      ))}
      {chips}
      {sortable.length > 0 && (
        <span className={styles['phone']}>
          <SortMenu {...props} />
        </span>
      )}
      {(tools || readFile) && (
        <span className={styles['export']}>
          {tools}
          {file && readFile && <ListExport file={file} readFile={readFile} />}
        </span>
      )}
    </div>
  );
}

type ExportProps = { file: NonNullable<StaffList['file']>; readFile: (form?: string) => Promise<string> };

function ListExport({ file: { name, forms }, readFile }: ExportProps) {
  if (!forms) return <ExportButton fileName={`${name}.csv`} read={() => readFile()} />;
  const files = forms.map(({ label, name: fileName, form }) => ({
    label,
    fileName: `${fileName}.csv`,
    read: () => readFile(form),
  }));
  return <ExportMenu files={files} />;
}

function SortMenu<Row extends ListRow>({
  table,
  search: [{ sort }, change],
}: DataTableProps<Row> & { table: ListTable<Row> }) {
  const orders = table
    .getAllColumns()
    .filter((column) => column.getCanSort())
    .flatMap(({ id, columnDef: { header } }) => [
      { id, desc: false, value: id, label: `${String(header)}, ascending` },
      { id, desc: true, value: `-${id}`, label: `${String(header)}, descending` },
    ]);
  return (
    <ActionMenu
      title="Sort"
      end="start"
      className={chipStyles['chip']}
      choice={{
        heading: 'Sort',
        chosen: orders.find(({ id, desc }) => id === sort?.id && desc === sort.desc)?.value,
        options: orders,
        onChoose: (chosen) => change({ sort: orders.find(({ value }) => value === chosen) }),
      }}
    >
      Sort <AdminIcon name="sort" size={16} />
    </ActionMenu>
  );
}

const pauseMs = 300;

interface SearchBoxProps {
  label: string;
  /** What it finds, while it is empty. */
  hint: string;
  value: string;
  onSearch: (q: string) => void;
}

/**
 * A search that runs while typing, after a short pause.
 * @param onSearch gets the new text; Back may change `value` as well
 */
function SearchBox({ label, hint, value, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  const [searched, setSearched] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (value !== searched) {
      setTyped(value); // after Back or a link
      setSearched(value);
    }
  }
  const search = (text: string) => {
    setSearched(text);
    if (text !== value) onSearch(text);
  };
  const searchLater = useEffectEvent(search);
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted === searched) return undefined;
    const timer = setTimeout(() => searchLater(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted, searched]);
  return (
    <form
      className={`${styles['search']} ${hint === label ? '' : styles['hinted']}`}
      onSubmit={(event) => {
        event.preventDefault();
        search(wanted);
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
  );
}

interface ChipProps {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const custom = { value: 'custom', label: periodLabels.custom };

/** One filter: a menu of its values, or the chosen value, which a press removes. */
function FilterChip({ filter: { label, options, isOfDays }, value, onChange }: ChipProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [isAsking, setAsking] = useState(false);
  const change = (next: string | undefined) => {
    onChange(next);
    // another button has replaced the pressed one
    setTimeout(() => place.current?.querySelector('button')?.focus(), 50);
  };
  return (
    <span ref={place}>
      {value === undefined ? (
        <ActionMenu
          title={label}
          end="start"
          className={chipStyles['chip']}
          choice={{
            heading: label,
            chosen: undefined,
            options: isOfDays ? [...options, custom] : options,
            onChoose: (chosen) => (chosen === custom.value ? setAsking(true) : change(chosen)),
          }}
        >
          {label} <Icon name="chevronDown" size={16} />
        </ActionMenu>
      ) : (
        <button
          type="button"
          className={`${chipStyles['chip']} ${chipStyles['on']}`}
          aria-label={`Remove filter ${label}: ${options.find((option) => option.value === value)?.label ?? value}`}
          onClick={() => change(undefined)}
        >
          {label}: {options.find((option) => option.value === value)?.label ?? value} <Icon name="cross" size={16} />
        </button>
      )}
      {isAsking && (
        <Suspense>
          <CustomPeriod
            days={parseDays(options[0]?.value) ?? { from: '', to: '' }}
            onChoose={({ from, to }) => {
              setAsking(false);
              change(`${from}_${to}`);
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </span>
  );
}
