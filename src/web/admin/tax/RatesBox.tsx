import { useNavigate, useSearch } from '@tanstack/react-router';
import { taxMessages as messages } from '../../../shared/tax';
import { ActionButton } from '../../ui/ActionButton';
import { Button } from '../../ui/Button';
import chipStyles from '../../ui/Chip.module.css';
import { Icon } from '../../ui/Icon';
import { Pagination } from '../../ui/Pagination';
import bar from '../table/Toolbar.module.css';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { parsePage } from '../../../shared/paging';
import { CsvMenu } from './CsvMenu';
import { type TaxRate, useSaveRates } from './queries';
import { RateRows } from './RateRows';
import box from '../ui/box.module.css';
import styles from './tax.module.css';
import { changesInWords, isWrong, type RateRow, useRateEdits, wantedOf } from './useRateEdits';

const perPage = 10;

export function RatesBox({ rates }: { rates: TaxRate[] }) {
  const { rows, changed, edit, undo, settle } = useRateEdits(rates);
  const { mutate: save, isPending } = useSaveRates(wantedOf, settle);
  const { question } = useLeaveGuard(changed.length > 0);
  const { q, isCollecting, page, change } = useView();
  const found = rows.filter((row) => matches(row, q) && (!isCollecting || row.saved));
  const totalPages = Math.max(1, Math.ceil(found.length / perPage));
  const first = (Math.min(page, totalPages) - 1) * perPage;
  const shown = found.slice(first, first + perPage);
  const wrong = changed.find(isWrong);
  return (
    <section className={box['box']} aria-labelledby="rates-by-state">
      <header>
        <h2 id="rates-by-state">Tax rates by state</h2>
        <span className="muted">{messages.collecting(rates.map(({ state }) => state))}</span>
      </header>
      <div className={bar['bar']}>
        <div className={`${bar['search']} ${styles['search']}`}>
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search states"
            placeholder="Search states"
            maxLength={40}
            value={q}
            onChange={(event) => change({ q: event.currentTarget.value || undefined })}
          />
        </div>
        <button
          type="button"
          className={`${chipStyles['chip']} ${isCollecting ? chipStyles['on'] : ''}`}
          aria-pressed={isCollecting}
          onClick={() => change({ collecting: isCollecting ? undefined : 'yes' })}
        >
          Collecting {isCollecting && <Icon name="cross" size={16} />}
        </button>
        <CsvMenu />
      </div>
      <RateRows rows={shown} onEdit={edit} />
      {found.length === 0 && <p className={box['state']}>{messages.noStates}</p>}
      {found.length > 0 && (
        <div className={styles['foot']}>
          <span className="tabular">
            {first + 1}–{first + shown.length} of {found.length}
          </span>
          <Pagination page={Math.min(page, totalPages)} totalPages={totalPages} isAlwaysThere />
        </div>
      )}
      <p className={styles['note']}>{messages.note}</p>
      {changed.length > 0 && (
        <div className={styles['saveBar']}>
          <output>{wrong ? `${wrong.name}: ${messages.rate}` : changesInWords(changed)}</output>
          <Button variant="ghost" onClick={undo}>
            Undo
          </Button>
          <ActionButton isBusy={isPending} isOff={wrong !== undefined} onClick={() => save(changed)}>
            Save
          </ActionButton>
        </div>
      )}
      {question}
    </section>
  );
}

function matches({ state, name }: RateRow, q: string): boolean {
  const text = q.trim().toLowerCase();
  return state.toLowerCase() === text || name.toLowerCase().includes(text);
}

/** Search, filter and page are in the URL; any change except of the page goes to the first page. */
function useView() {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: { q?: string | undefined; collecting?: 'yes' | undefined }) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...next, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  return {
    q: typeof raw['q'] === 'string' ? raw['q'] : '',
    isCollecting: raw['collecting'] === 'yes',
    page: parsePage(raw['page']),
    change,
  };
}
