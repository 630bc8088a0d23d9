import type { TotalLine } from '../../shared/totalLines';
import styles from './TotalLines.module.css';

interface Props {
  lines: readonly TotalLine[];
  /** The last line, larger and below a rule. */
  grand?: Pick<TotalLine, 'label' | 'text'> | undefined;
  /** This is the last total that was right: a new one is not there yet. */
  isOlder?: boolean;
  /** The new one is on its way. */
  isBusy?: boolean;
  /** In the back office, whose figures are all of one face. */
  isPlain?: boolean;
}

/** What a total is made of. Rule: docs/rules/orders-and-payment.md, The total */
export function TotalLines({ lines, grand, isOlder = false, isBusy = false, isPlain = false }: Props) {
  const className = `${styles['totals']} ${isOlder ? styles['older'] : ''} ${isPlain ? styles['plain'] : ''}`;
  return (
    <dl className={className} aria-busy={isBusy || undefined}>
      {lines.map(({ label, text, spoken, tone }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- two refunds may read the same
        <div key={place} className={tone && styles[tone]}>
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
