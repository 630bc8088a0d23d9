import type { ReactNode } from 'react';
import { Waiting } from '../ui/Waiting';
import styles from './RadioCard.module.css';

/** A choice among cards, with native radio buttons. */
export function RadioCards(props: { legend: string; isFixed: boolean; children: ReactNode }) {
  const { legend, isFixed, children } = props;
  return (
    <fieldset className={styles['radios']} disabled={isFixed}>
      <legend className="sr-only">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** @param props.name the name of the radio group */
export function RadioCard(props: { name: string; isChosen: boolean; onChoose: () => void; children: ReactNode }) {
  const { name, isChosen, onChoose, children } = props;
  return (
    <label className={styles['radio']}>
      {/* a click on the chosen card opens the dialog again; it fires no `change` */}
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
 * Placeholders for two cards that are loading.
 * @param props.what what is loading: 'your addresses'
 * @param props.isLow they are lower than an address
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
