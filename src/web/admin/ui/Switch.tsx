import { type ComponentProps, useId } from 'react';
import styles from './Switch.module.css';

interface Props extends Omit<ComponentProps<'input'>, 'type'> {
  label: string;
  hint?: string;
}

/** A checkbox with its label and hint. */
export function Switch({ label, hint, ...input }: Props) {
  const hintId = useId();
  return (
    <div>
      <label className={styles['switch']}>
        <input type="checkbox" aria-describedby={hint && hintId} {...input} />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}
