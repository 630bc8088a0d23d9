import { skipToken, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { countOf, formatCount } from '../../../shared/counts';
import { daysOf, periodLabels, periods } from '../../../shared/dashboard';
import { stateName } from '../../../shared/usStates';
import { formatMoney, toCents } from '../../../shared/money';
import { taxMessages as messages } from '../../../shared/tax';
import { sumCents } from '../../../shared/total';
import { ReadFailure } from '../../connection/ReadFailure';
import { ButtonLink } from '../../ui/ButtonLink';
import { Waiting } from '../../ui/Waiting';
import { type ChosenPeriod, parsePeriod } from '../dashboard/queries';
import { PeriodChip } from '../period/PeriodChip';
import { toDashboard } from '../ui/AdminHead';
import { type Collected, collectedQuery, type Days } from './queries';
import { useToday } from './useToday';
import box from '../ui/box.module.css';
import styles from './tax.module.css';

/** The tax collected in a period, by state; the numbers link to their orders. */
export function CollectedBox() {
  const current = parsePeriod(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [settings, days] = useDaysOf(current);
  const query = useQuery({
    ...collectedQuery(days ?? noDays),
    ...(!days && { queryFn: skipToken }),
  });
  const rows = query.data?.filter(({ rates }) => rates.length > 0);
  const failed = settings.error !== null ? settings : query.error !== null ? query : undefined;
  const choose = ({ period, from, to }: ChosenPeriod) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, period, from, to }),
      resetScroll: false,
    });
  return (
    <section className={box['box']} aria-labelledby="tax-collected" aria-busy={query.isPlaceholderData}>
      <header>
        <h2 id="tax-collected">Tax collected</h2>
        <span className={styles['acts']}>
          <PeriodChip labels={periodLabels} offered={periods} current={current} days={days} onChoose={choose} />
          <ButtonLink to="/admin/reports/tax" search={current} variant="outline">
            All states
          </ButtonLink>
        </span>
      </header>
      {!rows && failed && (
        <div className={box['state']}>
          <ReadFailure read={failed} failure={messages.getTaxCollected.failure} back={toDashboard} />
        </div>
      )}
      {!rows && !failed && (
        <Waiting what="collected tax">
          {[1, 2, 3, 4].map((row) => (
            <span key={row} className={`skeleton ${styles['skeleton']}`} />
          ))}
        </Waiting>
      )}
      {rows?.length === 0 && <p className={box['state']}>{messages.noneCollected}</p>}
      {rows && rows.length > 0 && days && <CollectedTable rows={rows} days={days} />}
      <p className={styles['note']}>{messages.collectedNote}</p>
    </section>
  );
}

const noDays: Days = { from: '', to: '' };

/** The period's days in the shop's time zone, once that is known. */
function useDaysOf(current: ChosenPeriod) {
  const [settings, today] = useToday();
  const days = today === undefined ? undefined : daysOf(current, today);
  return [settings, typeof days === 'string' ? undefined : days] as const;
}

const columns = ['Orders', 'Taxable sales', 'Tax', 'Refunded'] as const;

function CollectedTable({ rows, days }: { rows: readonly Collected[]; days: Days }) {
  const sum = (of: (row: Collected) => number) => formatMoney(sumCents(rows.map((row) => toCents(of(row)))));
  const refunded = sumCents(rows.map((row) => toCents(row.refunded)));
  return (
    <table className={`${box['table']} ${styles['table']} ${styles['listed']}`}>
      <caption className="sr-only">Sales tax collected</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          {columns.map((name) => (
            <th key={name} scope="col" className={styles['figure']}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <CollectedRow key={row.state} row={row} days={`${days.from}_${days.to}`} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All states</th>
          <td className={styles['figure']} data-name="Orders">
            {formatCount(rows.reduce((count, { orders }) => count + orders, 0))}
          </td>
          <td className={styles['figure']} data-name="Taxable sales">
            {sum(({ taxed }) => taxed)}
          </td>
          <td className={styles['figure']} data-name="Tax">
            {sum(({ tax }) => tax)}
          </td>
          <td className={styles['figure']} data-name="Refunded">
            {refunded === 0 ? '–' : `−${formatMoney(refunded)}`}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function CollectedRow({ row: { state, orders, taxed, tax, refunded }, days }: { row: Collected; days: string }) {
  return (
    <tr>
      <th scope="row">{stateName(state)}</th>
      <td className={styles['figure']} data-name="Orders">
        {orders === 0 ? (
          '–'
        ) : (
          <Link
            to="/ordered/products"
            search={{ by: 'paid', days, state }}
            aria-label={`${countOf(orders, 'order')} in ${stateName(state)}`}
          >
            {formatCount(orders)}
          </Link>
        )}
      </td>
      <td className={styles['figure']} data-name="Taxable sales">
        {formatMoney(toCents(taxed))}
      </td>
      <td className={`${styles['figure']} ${styles['strong']}`} data-name="Tax">
        {formatMoney(toCents(tax))}
      </td>
      <td className={`${styles['figure']} muted ${refunded === 0 ? styles['none'] : ''}`} data-name="Refunded">
        {refunded === 0 ? (
          '–'
        ) : (
          <Link
            to="/ordered/products"
            search={{ by: 'refunded', days, taxState: state }}
            aria-label={`−${formatMoney(toCents(refunded))}, refunded orders in ${stateName(state)}`}
          >
            −{formatMoney(toCents(refunded))}
          </Link>
        )}
      </td>
    </tr>
  );
}
