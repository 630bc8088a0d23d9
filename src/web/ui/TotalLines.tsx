import type { TotalLine } from '../../shared/totalLines';
import styles from './TotalLines.module.css';

interface Props {
  lines: readonly TotalLine[];
  /** The last line, larger, below a rule. */
  grand?: Pick<TotalLine, 'label' | 'text'> | undefined;
  /** The last valid total; the new one isn't loaded yet. */
  isOlder?: boolean;
  /** The new total is loading. */
  isBusy?: boolean;
  /** For the back office, which uses a single typeface. */
  isPlain?: boolean;
}

/** The lines that add up to a total. Rule: docs/rules/orders-and-payment.md, The total */
export function TotalLines({ lines, grand, isOlder = false, isBusy = false, isPlain = false }: Props) {
  const className = `${styles['totals']} ${isOlder ? styles['older'] : ''} ${isPlain ? styles['plain'] : ''}`;
  return (
    <dl className={className} aria-busy={isBusy || undefined}>
      {lines.map(({ label, text, spoken, tone }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two refunds may read the same
        <div key={index} className={tone && styles[tone]}>
          <dt>{label}</dt>
          <dd className="tabular">
            {spoken === undefined ? text : <span aria-hidden="true">{text}</span>}
            {spoken !== undefined && <span className="sr-only">{spoken}</span>}
          </dd>
        </div>
      ))}
      {grand && (
        <div className={styles['grand']}>
          <dt>{grand.label}</dt>
          <dd className="tabular">{grand.text}</dd>
        </div>
      )}
    </dl>
  );
}
