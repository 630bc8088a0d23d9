import type { ReactNode } from 'react';
import { Waiting } from '../ui/Waiting';
import styles from './RadioCard.module.css';

/** One choice among cards, with the browser's own radio buttons. */
export function RadioCards(props: { legend: string; isFixed: boolean; children: ReactNode }) {
  const { legend, isFixed, children } = props;
  return (
    <fieldset className={styles['radios']} disabled={isFixed}>
      <legend className="sr-only">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** @param props.name of the choice that it belongs to */
export function RadioCard(props: { name: string; isChosen: boolean; onChoose: () => void; children: ReactNode }) {
  const { name, isChosen, onChoose, children } = props;
  return (
    <label className={styles['radio']}>
      {/* a click on the chosen one opens the dialog again, which `change` would not tell */}
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        onClick={isChosen ? onChoose : undefined}
      />
      <span>{children}</span>
    </label>
  );
}

/**
 * Two cards that are on their way.
 * @param props.what they are: 'your addresses'
 * @param props.isLow they are not as high as an address
 */
export function RadioSkeletons({ what, isLow = false }: { what: string; isLow?: boolean }) {
  const className = `skeleton ${styles['waiting']} ${isLow ? styles['low'] : ''}`;
  return (
    <Waiting what={what} className={styles['radios']}>
      <span className={className} />
      <span className={className} />
    </Waiting>
  );
}
