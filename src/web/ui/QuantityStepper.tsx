import type { Ref } from 'react';
import { Icon } from './Icon';
import { LaterIcon } from './LaterIcon';
import styles from './QuantityStepper.module.css';

interface Props {
  /** What is counted, for screen readers. */
  name: string;
  value: number;
  max: number;
  /** The minimum; without it, minus at 1 removes the item. */
  min?: number;
  /** 52 px high, for the product page. */
  isLarge?: boolean;
  /** A change has no answer yet. */
  isPending?: boolean;
  /** Receives the plus. */
  plusRef?: Ref<HTMLButtonElement>;
  /** Called with +1 or -1; at 1 the minus button is named "Remove", since that is its effect. */
  onChange: (change: 1 | -1) => void;
}

export function QuantityStepper({ name, value, max, min, isLarge, isPending, plusRef, onChange }: Props) {
  const isFull = value >= max;
  const isEmpty = min !== undefined && value <= min;
  return (
    <fieldset
      className={`${styles['stepper']} ${isLarge ? styles['large'] : ''} ${isPending ? styles['pending'] : ''}`}
      aria-label={`Quantity of ${name}`}
    >
      <button
        type="button"
        aria-label={value > 1 || min !== undefined ? 'Decrease' : 'Remove'}
        aria-disabled={isEmpty || undefined}
        onClick={() => isEmpty || onChange(-1)}
      >
        <LaterIcon name="minus" />
      </button>
      <output aria-live="polite">{value}</output>
      <button
        ref={plusRef}
        type="button"
        aria-label="Increase"
        aria-disabled={isFull || undefined} // not disabled: the button would lose the focus at the maximum
        onClick={() => isFull || onChange(1)}
      >
        <Icon name="plus" />
      </button>
    </fieldset>
  );
}
