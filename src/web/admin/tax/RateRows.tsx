import { taxMessages as messages } from '../../../shared/tax';
import { Toggle } from '../ui/Toggle';
import box from '../ui/box.module.css';
import styles from './tax.module.css';
import { hasRate, isChanged, isWrong, type RateRow } from './useRateEdits';

interface Props {
  rows: readonly RateRow[];
  onEdit: (row: RateRow, change: { text?: string; taxesDelivery?: boolean }) => void;
}

export function RateRows({ rows, onEdit }: Props) {
  return (
    <table className={`${box['table']} ${styles['table']}`}>
      <caption className="sr-only">Tax rates by state</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col" className={styles['figure']}>
            Rate
          </th>
          <th scope="col" className={styles['figure']}>
            Tax on delivery
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.state} className={isChanged(row) ? styles['edited'] : undefined}>
            <td>
              <span className={row.saved ? styles['strong'] : 'muted'}>{row.name}</span>{' '}
              <span className="muted">{row.state}</span>
              {isWrong(row) && (
                <small id={`wrong-${row.state}`} className={styles['wrong']}>
                  {messages.rate}
                </small>
              )}
            </td>
            <td className={styles['figure']}>
              <span className={styles['rate']}>
                <input
                  aria-label={`Tax rate for ${row.name} in percent`}
                  aria-invalid={isWrong(row) || undefined}
                  aria-describedby={isWrong(row) ? `wrong-${row.state}` : undefined}
                  inputMode="decimal"
                  autoComplete="off"
                  maxLength={8}
                  placeholder="–"
                  value={row.text}
                  onChange={(event) => onEdit(row, { text: event.currentTarget.value })}
                />
              </span>
            </td>
            <td className={styles['figure']}>
              <Toggle
                label={`Charge tax on delivery in ${row.name}`}
                isOn={hasRate(row) && row.taxesDelivery}
                isOff={!hasRate(row)}
                onChange={(taxesDelivery) => onEdit(row, { taxesDelivery })}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
